import { Type } from 'typebox'
import { endpoint, Message, OpenMap, Uuid } from '#contract/endpoint.ts'
import { Parameters } from './parameters.ts'
import { ProjectParams } from './path.ts'
import { TriggeredPipeline } from './pipeline.ts'

/** Empty is as none: some clients send what they do not mean. */
const ref = {
  branch: Type.Optional(Type.String({ maxLength: 1000 })),
  tag: Type.Optional(Type.String({ maxLength: 1000 })),
}

export const runPipeline = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/pipeline/run',
  summary: 'Run a pipeline; with status 200 and a message when its commit asks not to be built',
  access: 'user',
  audited: false,
  status: 201,
  params: ProjectParams,
  body: Type.Object({
    /** The usual one, which has the project's id, unless given. */
    definition_id: Type.Optional(Uuid),
    /** Where the configuration is taken from, or the configuration itself; what is checked out, unless given. */
    config: Type.Optional(Type.Object({ ...ref, content: Type.Optional(Type.String({ maxLength: 10_000_000 })) })),
    checkout: Type.Optional(Type.Object(ref)),
    parameters: Type.Optional(Parameters),
  }),
  response: Type.Union([TriggeredPipeline, Message]),
})

export const getPipelineValues = endpoint({
  method: 'GET',
  path: '/pipeline/:pipeline_id/values',
  summary: 'Read the values that the configuration of a pipeline was compiled with',
  access: 'user-or-public',
  params: Type.Object({ pipeline_id: Uuid }),
  response: OpenMap,
})

export const cancelJobById = endpoint({
  method: 'POST',
  path: '/jobs/:job_id/cancel',
  summary: 'Cancel a job by its id',
  access: 'user',
  params: Type.Object({ job_id: Uuid }),
  response: Message,
})
