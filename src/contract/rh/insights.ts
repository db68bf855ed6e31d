import { type Static, Type } from 'typebox'
import { Bytes, endpoint, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { reportingWindows } from '#contract/v2/insights.ts'

const params = Type.Object({ id: Uuid })
const Text = Type.Optional(Type.String())
const window = { 'reporting-window': Type.Optional(OneOf(...reportingWindows)) }
const between = { 'start-date': Type.Optional(Time), 'end-date': Type.Optional(Time) }
const Count = Type.Integer()

/** What the jobs of a resource class waited for agents, in milliseconds. */
export const QueueTime = Type.Object({
  resource_class: Type.String(),
  jobs: Count,
  median_ms: Count,
  p95_ms: Count,
  max_ms: Count,
  total_ms: Count,
  /** What they ran, on all their nodes: waiting beside it says whether agents are missing. */
  running_ms: Count,
})
export type QueueTime = Static<typeof QueueTime>

/** The jobs of one name, and what they took of the time of all. */
export const LongJob = Type.Object({
  workflow: Type.String(),
  name: Type.String(),
  runs: Count,
  median_ms: Count,
  p95_ms: Count,
  total_ms: Count,
})
export type LongJob = Static<typeof LongJob>

export const getWaiting = endpoint({
  method: 'GET',
  path: '/project/:id/insights/waiting',
  summary: 'Read how long jobs waited for agents, how many agents were busy, and which jobs took the most time',
  access: 'project-or-public:view-builds',
  params,
  query: Type.Object(window),
  response: Type.Object({
    queue: Type.Array(QueueTime),
    /** How many agents worked for this project, on average, in each hour or day. */
    busy: Type.Array(Type.Object({ timestamp: Time, agents: Type.Number() })),
    longest_jobs: Type.Array(LongJob),
  }),
})

export const getCriticalPath = endpoint({
  method: 'GET',
  path: '/workflow/:id/critical-path',
  summary: 'Read which jobs decided how long a workflow took',
  access: 'project-or-public:view-builds',
  params,
  response: Type.Object({
    jobs: Type.Array(
      Type.Object({
        id: Uuid,
        name: Type.String(),
        /** What it waited for before it began: approvals wait for a person. */
        waited_for: OneOf('agent', 'person', 'serial-group'),
        waited_ms: Count,
        ran_ms: Count,
        /** How much shorter the workflow would be if the job took no time; 0 where it waited for people or other workflows. */
        worth_ms: Count,
        /** Of a job with several nodes: how long each of them ran. */
        nodes_ms: Type.Optional(Type.Array(Count)),
      }),
    ),
  }),
})

export const getCacheUse = endpoint({
  method: 'GET',
  path: '/project/:id/insights/caches',
  summary: 'Read how often jobs found the caches they asked for',
  access: 'project-or-public:view-builds',
  params,
  query: Type.Object(window),
  response: Type.Object({
    hits: Count,
    misses: Count,
    hit_rate: Type.Number(),
    days: Type.Array(Type.Object({ timestamp: Time, hits: Count, misses: Count })),
  }),
})

/** What the runs of a workflow on a branch came to in a day; kept for ever. */
export const RunDay = Type.Object({
  timestamp: Time,
  workflow: Type.String(),
  branch: Type.Optional(Type.String()),
  total_runs: Count,
  successful_runs: Count,
  failed_runs: Count,
  canceled_runs: Count,
  total_duration_secs: Count,
  total_credits_used: Count,
})
export type RunDay = Static<typeof RunDay>

export const listRunDays = endpoint({
  method: 'GET',
  path: '/project/:id/insights/days',
  summary: 'List what the runs of a workflow came to day by day, newest first, also those that are not kept any more',
  access: 'project-or-public:view-builds',
  params,
  query: Type.Object({ 'page-token': Text, 'workflow-name': Type.String({ minLength: 1 }) }),
  response: Page(RunDay),
})

export const exportRuns = endpoint({
  method: 'GET',
  path: '/project/:id/insights/runs',
  summary: 'Export the runs of a project in a window, as CSV or JSON',
  access: 'project-or-public:view-builds',
  form: 'stream',
  params,
  query: Type.Object({
    ...between,
    format: Type.Optional(OneOf('csv', 'json')),
    branch: Text,
    'workflow-name': Text,
  }),
  response: Bytes,
})
