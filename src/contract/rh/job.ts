import { type Static, Type } from 'typebox'
import { stepStatuses } from '#contract/agent.ts'
import { endpoint, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'
import { JobMessage, jobStatuses } from '#contract/v2/job.ts'

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
})
export type JobStep = Static<typeof JobStep>

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
  /** A sentence: why it failed, where the steps do not say it. */
  failure: Nullable(Type.String()),
  messages: Type.Array(JobMessage),
  started_at: Nullable(Time),
  stopped_at: Nullable(Time),
  steps: Type.Array(JobStep),
})
export type JobPage = Static<typeof JobPage>

export const getJobPage = endpoint({
  method: 'GET',
  path: '/job/:id',
  summary: 'Read a job with its steps',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: JobPage,
})
