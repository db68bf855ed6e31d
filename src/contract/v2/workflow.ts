import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { jobStatuses } from './job.ts'
import { PageQuery } from './path.ts'

/** How a workflow stands; success, failed, error, canceled, unauthorized and not_run are the ends. */
export const workflowStatuses = [
  'success',
  'running',
  'not_run',
  'failed',
  'error',
  'failing',
  'on_hold',
  'canceled',
  'unauthorized',
] as const

/** A graph of jobs, run for one pipeline; the people it names are user ids. */
export const Workflow = Type.Object({
  id: Uuid,
  name: Type.String(),
  pipeline_id: Uuid,
  pipeline_number: Type.Integer(),
  project_slug: Type.String(),
  tag: Type.Optional(OneOf('setup')),
  status: OneOf(...workflowStatuses),
  started_by: Uuid,
  canceled_by: Type.Optional(Uuid),
  errored_by: Type.Optional(Uuid),
  created_at: Time,
  stopped_at: Nullable(Time),
})
export type Workflow = Static<typeof Workflow>

/** A job as its workflow lists it; the request id of an approval is the id of the job. */
export const WorkflowJob = Type.Object({
  id: Uuid,
  name: Type.String(),
  job_number: Type.Optional(Type.Integer()),
  project_slug: Type.String(),
  status: OneOf(...jobStatuses),
  type: OneOf('build', 'approval'),
  started_at: Nullable(Time),
  stopped_at: Nullable(Time),
  dependencies: Type.Array(Uuid),
  approval_request_id: Type.Optional(Uuid),
  approved_by: Type.Optional(Uuid),
  canceled_by: Type.Optional(Uuid),
})
export type WorkflowJob = Static<typeof WorkflowJob>

const WorkflowParams = Type.Object({ id: Uuid })

export const getWorkflow = endpoint({
  method: 'GET',
  path: '/workflow/:id',
  summary: 'Read a workflow',
  access: 'user-or-public',
  params: WorkflowParams,
  response: Workflow,
})

export const listWorkflowJobs = endpoint({
  method: 'GET',
  path: '/workflow/:id/job',
  summary: 'List the jobs of a workflow',
  access: 'user-or-public',
  params: WorkflowParams,
  query: PageQuery,
  response: Page(WorkflowJob),
})

export const approveJob = endpoint({
  method: 'POST',
  path: '/workflow/:id/approve/:approval_request_id',
  summary: 'Approve a job that is on hold',
  access: 'user',
  status: 202,
  params: Type.Object({ id: Uuid, approval_request_id: Uuid }),
  response: Message,
})

export const cancelWorkflow = endpoint({
  method: 'POST',
  path: '/workflow/:id/cancel',
  summary: 'Cancel a workflow and every job of it that has not ended',
  access: 'user',
  status: 202,
  params: WorkflowParams,
  response: Message,
})

export const rerunWorkflow = endpoint({
  method: 'POST',
  path: '/workflow/:id/rerun',
  summary: 'Run a workflow again: all of it, from what failed, or the listed jobs',
  access: 'user',
  status: 202,
  params: WorkflowParams,
  body: Type.Object({
    enable_ssh: Type.Optional(Type.Boolean()),
    from_failed: Type.Optional(Type.Boolean()),
    jobs: Type.Optional(Type.Array(Uuid)),
    sparse_tree: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({ workflow_id: Uuid }),
})
