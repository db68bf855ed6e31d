import { Type } from 'typebox'
import { endpoint, Uuid } from '#contract/endpoint.ts'
import { TriggeredPipeline } from '#contract/v2/pipeline.ts'

export const fireTrigger = endpoint({
  method: 'POST',
  path: '/trigger/:trigger_id',
  summary:
    'Run a pipeline definition by the webhook that triggers it; what is sent is pipeline.trigger_parameters.webhook.body',
  access: 'anyone',
  status: 201,
  params: Type.Object({ trigger_id: Uuid }),
  query: Type.Object({ secret: Type.String({ maxLength: 200 }) }),
  body: Type.Unknown(),
  response: TriggeredPipeline,
})
