import { type Static, Type } from 'typebox'
import { Bytes, endpoint, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { testResults } from '#contract/test-result.ts'
import { PageQuery, projectParams } from './path.ts'

/** How a job stands. */
export const jobStatuses = [
  'success',
  'running',
  'not_run',
  'failed',
  'retried',
  'queued',
  'not_running',
  'infrastructure_fail',
  'timedout',
  'on_hold',
  'terminated-unknown',
  'blocked',
  'canceled',
  'unauthorized',
] as const

/** Something a person should know about a job, beside its status. */
export const JobMessage = Type.Object({
  type: Type.String(),
  message: Type.String(),
  reason: Type.Optional(Type.String()),
})
export type JobMessage = Static<typeof JobMessage>

/** A job with everything around it; `duration` is in milliseconds. */
export const JobDetails = Type.Object({
  id: Uuid,
  web_url: Type.String(),
  project: Type.Object({
    id: Uuid,
    slug: Type.String(),
    name: Type.String(),
    external_url: Type.String(),
  }),
  parallel_runs: Type.Array(Type.Object({ index: Type.Integer(), status: OneOf(...jobStatuses) })),
  started_at: Nullable(Time),
  latest_workflow: Type.Object({ id: Uuid, name: Type.String() }),
  name: Type.String(),
  executor: Type.Object({ resource_class: Type.String(), type: Type.String() }),
  parallelism: Type.Integer(),
  status: OneOf(...jobStatuses),
  number: Type.Integer(),
  pipeline: Type.Object({ id: Uuid }),
  duration: Nullable(Type.Integer()),
  created_at: Time,
  messages: Type.Array(JobMessage),
  contexts: Type.Array(Type.Object({ name: Type.String() })),
  organization: Type.Object({ name: Type.String() }),
  queued_at: Nullable(Time),
  stopped_at: Nullable(Time),
})
export type JobDetails = Static<typeof JobDetails>

/** A file that a job kept. */
export const JobArtifact = Type.Object({
  path: Type.String(),
  node_index: Type.Integer(),
  url: Type.String(),
})
export type JobArtifact = Static<typeof JobArtifact>

/** The result of one test; `run_time` is in seconds, and no text is null. */
export const JobTest = Type.Object({
  message: Type.String(),
  source: Type.String(),
  run_time: Type.Number(),
  file: Type.String(),
  result: OneOf(...testResults),
  name: Type.String(),
  classname: Type.String(),
})
export type JobTest = Static<typeof JobTest>

const JobParams = projectParams({ job_number: Type.Integer({ minimum: 1 }) })

export const getJob = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/job/:job_number',
  summary: 'Read the details of a job',
  access: 'user-or-public',
  params: JobParams,
  response: JobDetails,
})

export const cancelJob = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/job/:job_number/cancel',
  summary: 'Cancel a job',
  access: 'user',
  status: 202,
  params: JobParams,
  response: Message,
})

export const listJobArtifacts = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/:job_number/artifacts',
  summary: 'List the artifacts of a job',
  access: 'user-or-public',
  params: JobParams,
  query: PageQuery,
  response: Page(JobArtifact),
})

export const listJobTests = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/:job_number/tests',
  summary: 'List the test results of a job',
  access: 'user-or-public',
  params: JobParams,
  query: PageQuery,
  response: Page(JobTest),
})

export const readRawOutput = endpoint({
  method: 'GET',
  path: '/output/raw/:provider/:org/:repo/:job_number/:stream/:index/:step',
  summary:
    'Read what one node of a job printed in a step, as text; what goes to both streams is kept as one, so that `error` is empty',
  access: 'user-or-public',
  form: 'stream',
  params: projectParams({
    job_number: Type.Integer({ minimum: 1 }),
    stream: OneOf('output', 'error'),
    index: Type.Integer({ minimum: 0 }),
    step: Type.Integer({ minimum: 0 }),
  }),
  response: Bytes,
})
