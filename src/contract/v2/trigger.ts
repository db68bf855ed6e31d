import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { Repo } from './definition.ts'
import { Parameters } from './parameters.ts'

const Text = Type.Optional(Type.String({ maxLength: 1000 }))
const Ref = Type.Optional(Type.String({ maxLength: 250 }))
const Cron = Type.String({ minLength: 1, maxLength: 200 })
const Attribution = OneOf('current', 'system')

/** What runs a pipeline definition: pushes, a schedule, or whoever knows the address of a webhook. */
export const Trigger = Type.Object({
  id: Uuid,
  created_at: Time,
  name: Type.String(),
  description: Type.String(),
  event_name: Type.String(),
  event_preset: Type.Optional(Type.String()),
  checkout_ref: Type.String(),
  config_ref: Type.String(),
  disabled: Type.Boolean(),
  parameters: Type.Optional(Parameters),
  event_source: Type.Object({
    provider: Type.String(),
    repo: Type.Optional(Repo),
    /** Its secret is shown once, when the trigger is made. */
    webhook: Type.Optional(Type.Object({ url: Type.String(), sender: Type.String() })),
    schedule: Type.Optional(
      Type.Object({ cron_expression: Type.String(), attribution_actor: Type.Object({ id: Uuid }) }),
    ),
  }),
})
export type Trigger = Static<typeof Trigger>

const said = {
  name: Text,
  description: Text,
  event_name: Text,
  event_preset: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  checkout_ref: Ref,
  config_ref: Ref,
  disabled: Type.Optional(Type.Boolean()),
  parameters: Type.Optional(Parameters),
}

const Webhook = Type.Optional(Type.Object({ sender: Text, url: Type.Optional(Type.String()) }))

const GivenRepo = Type.Object({
  external_id: Type.Optional(Type.String({ maxLength: 200 })),
  full_name: Type.Optional(Type.String()),
})

const DefinitionParams = Type.Object({ project_id: Uuid, definition_id: Uuid })
const TriggerParams = Type.Object({ project_id: Uuid, trigger_id: Uuid })

export const listTriggers = endpoint({
  method: 'GET',
  path: '/projects/:project_id/pipeline-definitions/:definition_id/triggers',
  summary: 'List what triggers a pipeline definition',
  access: 'user',
  params: DefinitionParams,
  response: Page(Trigger),
})

export const createTrigger = endpoint({
  method: 'POST',
  path: '/projects/:project_id/pipeline-definitions/:definition_id/triggers',
  summary: 'Trigger a pipeline definition by pushes, by a schedule, or by a webhook',
  access: 'user',
  status: 201,
  params: DefinitionParams,
  body: Type.Object({
    ...said,
    event_source: Type.Object({
      provider: Type.String({ minLength: 1, maxLength: 100 }),
      repo: Type.Optional(GivenRepo),
      webhook: Webhook,
      schedule: Type.Optional(Type.Object({ cron_expression: Cron, attribution_actor: Type.Optional(Attribution) })),
    }),
  }),
  response: Trigger,
})

export const getTrigger = endpoint({
  method: 'GET',
  path: '/projects/:project_id/triggers/:trigger_id',
  summary: 'Read a trigger',
  access: 'user',
  params: TriggerParams,
  response: Trigger,
})

export const updateTrigger = endpoint({
  method: 'PATCH',
  path: '/projects/:project_id/triggers/:trigger_id',
  summary: 'Change what is given of a trigger; what it is triggered by stays',
  access: 'user',
  params: TriggerParams,
  body: Type.Object({
    ...said,
    /** Null or empty: none any more. */
    parameters: Type.Optional(Nullable(Parameters)),
    event_source: Type.Optional(
      Type.Object(
        {
          /** Neither can be changed: clients that send everything they know say what is. */
          provider: Type.Optional(Type.String({ maxLength: 100 })),
          repo: Type.Optional(GivenRepo),
          webhook: Webhook,
          schedule: Type.Optional(
            Type.Object({ cron_expression: Type.Optional(Cron), attribution_actor: Type.Optional(Attribution) }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  }),
  response: Trigger,
})

export const deleteTrigger = endpoint({
  method: 'DELETE',
  path: '/projects/:project_id/triggers/:trigger_id',
  summary: 'Delete a trigger',
  access: 'user',
  params: TriggerParams,
  response: Message,
})
