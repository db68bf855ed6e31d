import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { PageQuery, ProjectParams } from '#contract/v2/path.ts'

/** An address at which a provider tells of pushes. */
export const Receiver = Type.Object({
  id: Uuid,
  /** A provider code. */
  provider: Type.String(),
  /** Null: it is for all projects of the organization. */
  project_id: Nullable(Uuid),
  organization_id: Uuid,
  /** What the provider must be told. */
  url: Type.String(),
  created_at: Time,
})
export type Receiver = Static<typeof Receiver>

const NewReceiver = Type.Object({
  ...Receiver.properties,
  /** Shown this once. Where a provider asks for a secret or token, this is it. */
  secret: Type.String(),
})

/** Something that a provider told, and what came of it. */
export const Hook = Type.Object({
  id: Uuid,
  receiver_id: Uuid,
  project_id: Nullable(Uuid),
  /** What the provider calls it. */
  delivery: Type.String(),
  event: Type.String(),
  state: OneOf('pending', 'done', 'ignored', 'failed'),
  /** What came of it, in words. */
  outcome: Nullable(Type.String()),
  attempts: Type.Integer(),
  received_at: Time,
  finished_at: Nullable(Time),
})
export type Hook = Static<typeof Hook>

const ReceiverParams = Type.Object({ receiver_id: Uuid })
const HookParams = Type.Object({ hook_id: Uuid })
const OrganizationParams = Type.Object({ organization_id: Uuid })

export const listReceivers = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/receivers',
  summary: 'List the addresses at which the provider of a project tells of pushes',
  access: 'user',
  params: ProjectParams,
  response: Type.Object({ items: Type.Array(Receiver) }),
})

export const createReceiver = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/receivers',
  summary: 'Make such an address, and its secret, which is shown once',
  access: 'user',
  status: 201,
  params: ProjectParams,
  response: NewReceiver,
})

export const listOrganizationReceivers = endpoint({
  method: 'GET',
  path: '/organizations/:organization_id/receivers',
  summary: 'List such addresses of an organization and its projects',
  access: 'user',
  params: OrganizationParams,
  response: Type.Object({ items: Type.Array(Receiver) }),
})

export const createOrganizationReceiver = endpoint({
  method: 'POST',
  path: '/organizations/:organization_id/receivers',
  summary: 'Make such an address for all projects of an organization',
  access: 'user',
  status: 201,
  params: OrganizationParams,
  response: NewReceiver,
})

export const deleteReceiver = endpoint({
  method: 'DELETE',
  path: '/receivers/:receiver_id',
  summary: 'Delete such an address with all it received',
  access: 'user',
  params: ReceiverParams,
  response: Message,
})

export const listHooks = endpoint({
  method: 'GET',
  path: '/receivers/:receiver_id/hooks',
  summary: 'List what a provider told, newest first',
  access: 'user',
  params: ReceiverParams,
  query: PageQuery,
  response: Page(Hook),
})

export const getHook = endpoint({
  method: 'GET',
  path: '/hooks/:hook_id',
  summary: 'Read what a provider told, as it told it',
  access: 'user',
  params: HookParams,
  response: Type.Object({ ...Hook.properties, content_type: Type.String(), body: Type.String() }),
})

export const replayHook = endpoint({
  method: 'POST',
  path: '/hooks/:hook_id/replay',
  summary: 'Process a hook once more',
  access: 'user',
  status: 202,
  params: HookParams,
  response: Message,
})
