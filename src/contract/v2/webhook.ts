import { type Static, Type } from 'typebox'
import { anySpelling, endpoint, Message, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { paging } from './path.ts'

/** What a webhook can be told. */
export const webhookEvents = ['workflow-completed', 'job-completed'] as const

const Scope = Type.Object({ id: Uuid, type: OneOf('project') })

/** A URL that is told when workflows or jobs end; the secret is masked, and real clients read either spelling. */
export const Webhook = Type.Object({
  id: Uuid,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(OneOf(...webhookEvents)),
  scope: Scope,
  'verify-tls': Type.Boolean(),
  verify_tls: Type.Boolean(),
  'signing-secret': Type.String(),
  signing_secret: Type.String(),
  'created-at': Time,
  created_at: Time,
  'updated-at': Time,
  updated_at: Time,
})
export type Webhook = Static<typeof Webhook>

const Name = Type.String({ minLength: 1 })
const Events = Type.Array(OneOf(...webhookEvents), { minItems: 1 })
const Url = Type.String({ minLength: 1 })

const spelledTwice = {
  'verify-tls': Type.Optional(Type.Boolean()),
  verify_tls: Type.Optional(Type.Boolean()),
  'signing-secret': Type.Optional(Type.String()),
  signing_secret: Type.Optional(Type.String()),
}

const WebhookParams = Type.Object({ webhook_id: Uuid })

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhook',
  summary: 'List the webhooks of a project',
  access: 'user',
  query: Type.Object({ ...paging, 'scope-id': Uuid, 'scope-type': OneOf('project') }),
  response: Page(Webhook),
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/webhook',
  summary: 'Create a webhook for a project',
  access: 'user',
  status: 201,
  body: Type.Object(
    { name: Name, events: Events, url: Url, scope: Scope, ...spelledTwice },
    anySpelling(['verify-tls', 'verify_tls'], ['signing-secret', 'signing_secret']),
  ),
  response: Webhook,
})

export const getWebhook = endpoint({
  method: 'GET',
  path: '/webhook/:webhook_id',
  summary: 'Read a webhook',
  access: 'user',
  params: WebhookParams,
  response: Webhook,
})

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/webhook/:webhook_id',
  summary: 'Change what is given of a webhook',
  access: 'user',
  params: WebhookParams,
  body: Type.Object({
    name: Type.Optional(Name),
    events: Type.Optional(Events),
    url: Type.Optional(Url),
    ...spelledTwice,
  }),
  response: Webhook,
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/webhook/:webhook_id',
  summary: 'Delete a webhook',
  access: 'user',
  params: WebhookParams,
  response: Message,
})
