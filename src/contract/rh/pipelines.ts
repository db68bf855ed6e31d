import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { pipelineErrorTypes, pipelineStates, triggerTypes } from '#contract/v2/pipeline.ts'
import { workflowStatuses } from '#contract/v2/workflow.ts'

/** What a reader looks for; what is failing but has not ended is both `active` and `broken`. */
export const pipelineLooks = ['active', 'broken', 'held', 'passed', 'canceled'] as const

/** A workflow as a list of pipelines shows it. */
export const WorkflowGlance = Type.Object({
  id: Uuid,
  name: Type.String(),
  status: OneOf(...workflowStatuses),
  created_at: Time,
  stopped_at: Nullable(Time),
})
export type WorkflowGlance = Static<typeof WorkflowGlance>

/** A pipeline as a list shows it, whole: no second question is needed. */
export const PipelineEntry = Type.Object({
  id: Uuid,
  number: Type.Integer(),
  project_slug: Type.String(),
  state: OneOf(...pipelineStates),
  /** The worst of its workflows, of each only the last run; null while there is none. */
  status: Nullable(OneOf(...workflowStatuses)),
  errors: Type.Array(Type.Object({ type: OneOf(...pipelineErrorTypes), message: Type.String() })),
  trigger: OneOf(...triggerTypes),
  actor: Type.String(),
  branch: Nullable(Type.String()),
  tag: Nullable(Type.String()),
  revision: Type.String(),
  subject: Nullable(Type.String()),
  created_at: Time,
  /** Newest first; of each only the last run. */
  workflows: Type.Array(WorkflowGlance),
})
export type PipelineEntry = Static<typeof PipelineEntry>

export const findPipelines = endpoint({
  method: 'GET',
  path: '/pipelines',
  summary:
    'List the pipelines that the caller may see, newest first: of a project, of a branch, that stand so, or their own',
  access: 'user',
  query: Type.Object({
    'page-token': Type.Optional(Type.String()),
    /** A slug. */
    project: Type.Optional(Type.String({ maxLength: 500 })),
    branch: Type.Optional(Type.String({ maxLength: 500 })),
    look: Type.Optional(OneOf(...pipelineLooks)),
    mine: Type.Optional(Type.Boolean()),
  }),
  /** A page may hold fewer than there are, even none, and still have a next one: only so many are looked through at once. */
  response: Page(PipelineEntry),
})
