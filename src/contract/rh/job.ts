import { type Static, Type } from 'typebox'
import { stepStatuses } from '#contract/agent/report.ts'
import { endpoint, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'
import { JobMessage, jobStatuses } from '#contract/v2/job.ts'

/** What a job can wait for, the nearest first. */
export const waitingFor = [
  'jobs',
  'approval',
  'serial-group',
  'project-limit',
  'organization-limit',
  'agent',
  'executor',
  'resource-class',
  'label',
  'paused-agents',
  'obstructed-agents',
  'slot',
  'first-word',
] as const

/** A step of a job; `waiting` until the agent has said something of it. */
export const JobStep = Type.Object({
  index: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  command: Nullable(Type.String()),
  status: OneOf('waiting', ...stepStatuses),
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  exit_code: Nullable(Type.Integer()),
  /** Bytes that can be read now. */
  log_size: Type.Integer(),
  /** Whether these are all: of a step that has ended the last ones may still be on their way. */
  log_whole: Type.Boolean(),
})
export type JobStep = Static<typeof JobStep>

/** One node of a job, and how it stands. */
export const JobNode = Type.Object({
  index: Type.Integer(),
  status: OneOf(...jobStatuses),
  started_at: Nullable(Time),
  stopped_at: Nullable(Time),
})
export type JobNode = Static<typeof JobNode>

/** What a job waits for: a word for programs, a sentence for people. */
export const Waiting = Type.Object({
  for: OneOf(...waitingFor),
  message: Type.String(),
})
export type Waiting = Static<typeof Waiting>

/** A job with its steps, for the page that shows its logs. */
export const JobPage = Type.Object({
  id: Uuid,
  number: Nullable(Type.Integer()),
  name: Type.String(),
  status: OneOf(...jobStatuses),
  project_slug: Type.String(),
  workflow: Type.Object({ id: Uuid, name: Type.String() }),
  pipeline: Type.Object({ id: Uuid, number: Type.Integer() }),
  /** A sentence: why it has not started. */
  waiting: Nullable(Type.String()),
  /** The same, with a word of what it is. */
  waits_for: Nullable(Waiting),
  /** A sentence: why it failed, where the steps do not say it. */
  failure: Nullable(Type.String()),
  messages: Type.Array(JobMessage),
  started_at: Nullable(Time),
  stopped_at: Nullable(Time),
  /** Each node of the job, in order; one where it has no others. */
  nodes: Type.Array(JobNode),
  /** The node whose steps these are. */
  node: Type.Integer(),
  steps: Type.Array(JobStep),
})
export type JobPage = Static<typeof JobPage>

export const getJobPage = endpoint({
  method: 'GET',
  path: '/job/:id',
  summary: 'Read a job with the steps of one of its nodes, the first unless said',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ node: Type.Optional(Type.Integer({ minimum: 0 })) }),
  response: JobPage,
})

export const getWaitingJobs = endpoint({
  method: 'GET',
  path: '/workflow/:id/waiting',
  summary: 'Read what each job of a workflow that has not begun waits for',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: Type.Object({
    items: Type.Array(Type.Object({ job_id: Uuid, name: Type.String(), waits_for: Waiting })),
  }),
})
