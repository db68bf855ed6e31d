import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, OpenMap, Page, Time, Uuid } from '#contract/endpoint.ts'
import { Parameters } from './parameters.ts'
import { PageQuery, paging, projectParams, ProjectParams } from './path.ts'
import { Workflow } from './workflow.ts'

/** How far a pipeline has come; `created` and `errored` are the ends. */
export const pipelineStates = ['created', 'errored', 'setup-pending', 'setup', 'pending'] as const

/** What went wrong before there was a workflow to fail. */
export const pipelineErrorTypes = ['config', 'config-fetch', 'timeout', 'permission', 'other', 'plan'] as const

/** What made a pipeline. */
export const triggerTypes = ['webhook', 'api', 'explicit', 'scheduled_pipeline'] as const

const Trigger = Type.Object({
  type: OneOf(...triggerTypes),
  received_at: Time,
  actor: Type.Object({ login: Type.String(), avatar_url: Nullable(Type.String()) }),
})

const Vcs = Type.Object({
  /** As a person writes it. */
  provider_name: Type.String(),
  target_repository_url: Type.String(),
  origin_repository_url: Type.String(),
  revision: Type.String(),
  branch: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  review_id: Type.Optional(Type.String()),
  review_url: Type.Optional(Type.String()),
  commit: Type.Optional(Type.Object({ subject: Type.String(), body: Type.String() })),
})

/** One run of a project's configuration. */
export const Pipeline = Type.Object({
  id: Uuid,
  errors: Type.Array(Type.Object({ type: OneOf(...pipelineErrorTypes), message: Type.String() })),
  project_slug: Type.String(),
  updated_at: Time,
  number: Type.Integer(),
  trigger_parameters: Type.Optional(OpenMap),
  state: OneOf(...pipelineStates),
  created_at: Time,
  trigger: Trigger,
  vcs: Type.Optional(Vcs),
})
export type Pipeline = Static<typeof Pipeline>

/** A pipeline as the answer to its trigger shows it. */
export const TriggeredPipeline = Type.Object({
  id: Uuid,
  state: OneOf(...pipelineStates),
  number: Type.Integer(),
  created_at: Time,
})
export type TriggeredPipeline = Static<typeof TriggeredPipeline>

/** The configuration of a pipeline, as written and as compiled; the setup pair only where there was a setup phase. */
export const PipelineConfig = Type.Object({
  source: Type.String(),
  compiled: Type.String(),
  'setup-config': Type.Optional(Type.String()),
  'compiled-setup-config': Type.Optional(Type.String()),
})
export type PipelineConfig = Static<typeof PipelineConfig>

const PipelineParams = Type.Object({ pipeline_id: Uuid })

export const listPipelines = endpoint({
  method: 'GET',
  path: '/pipeline',
  summary: 'List the pipelines of the most recently built projects that the caller follows',
  access: 'user',
  query: Type.Object({
    ...paging,
    'org-slug': Type.Optional(Type.String()),
    mine: Type.Optional(Type.Boolean()),
  }),
  response: Page(Pipeline),
})

export const getPipeline = endpoint({
  method: 'GET',
  path: '/pipeline/:pipeline_id',
  summary: 'Read a pipeline',
  access: 'user-or-public',
  params: PipelineParams,
  response: Pipeline,
})

export const getPipelineConfig = endpoint({
  method: 'GET',
  path: '/pipeline/:pipeline_id/config',
  summary: 'Read the configuration of a pipeline',
  access: 'user-or-public',
  params: PipelineParams,
  response: PipelineConfig,
})

export const listPipelineWorkflows = endpoint({
  method: 'GET',
  path: '/pipeline/:pipeline_id/workflow',
  summary: 'List the workflows of a pipeline',
  access: 'user-or-public',
  params: PipelineParams,
  query: PageQuery,
  response: Page(Workflow),
})

export const continuePipeline = endpoint({
  method: 'POST',
  path: '/pipeline/continue',
  summary: 'Continue a pipeline from its setup phase; the key authorizes',
  access: 'anyone',
  body: Type.Object({
    'continuation-key': Type.String({ minLength: 1 }),
    configuration: Type.String(),
    parameters: Type.Optional(Parameters),
  }),
  response: Message,
})

export const listProjectPipelines = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/pipeline',
  summary: 'List the pipelines of a project',
  access: 'user-or-public',
  params: ProjectParams,
  query: Type.Object({ ...paging, branch: Type.Optional(Type.String()) }),
  response: Page(Pipeline),
})

export const listMyPipelines = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/pipeline/mine',
  summary: 'List the pipelines of a project that the caller triggered',
  access: 'user',
  params: ProjectParams,
  query: PageQuery,
  response: Page(Pipeline),
})

export const getPipelineByNumber = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/pipeline/:pipeline_number',
  summary: 'Read a pipeline of a project by its number',
  access: 'user-or-public',
  params: projectParams({ pipeline_number: Type.Integer({ minimum: 1 }) }),
  response: Pipeline,
})

export const triggerPipeline = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/pipeline',
  summary: 'Trigger a pipeline on a branch or a tag of a project',
  access: 'user',
  audited: false,
  status: 201,
  params: ProjectParams,
  body: Type.Object({
    branch: Type.Optional(Type.String({ minLength: 1 })),
    tag: Type.Optional(Type.String({ minLength: 1 })),
    parameters: Type.Optional(Parameters),
  }),
  response: TriggeredPipeline,
})
