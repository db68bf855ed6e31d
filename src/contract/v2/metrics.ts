import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'

/** How a run ended, as insights count it. */
export const runStatuses = ['success', 'failed', 'error', 'canceled', 'unauthorized'] as const

const Count = Type.Integer()
const Ratio = Type.Number()
/** In whole seconds; null where no run has ended. */
const Seconds = Nullable(Type.Integer())

const Durations = Type.Object({
  min: Seconds,
  mean: Seconds,
  median: Seconds,
  p95: Seconds,
  max: Seconds,
  standard_deviation: Nullable(Type.Number()),
})

const runs = {
  success_rate: Ratio,
  total_runs: Count,
  failed_runs: Count,
  successful_runs: Count,
  throughput: Ratio,
  total_credits_used: Count,
  duration_metrics: Durations,
}

/** What the runs of a job in a window come to. */
export const JobMetrics = Type.Object(runs)
export type JobMetrics = Static<typeof JobMetrics>

const workflow = { ...runs, mttr: Seconds, total_recoveries: Nullable(Count) }

/** What the runs of a workflow in a window come to. */
export const WorkflowMetrics = Type.Object(workflow)
export type WorkflowMetrics = Static<typeof WorkflowMetrics>

const named = { name: Type.String(), window_start: Time, window_end: Time }

/** One workflow of a project, with the window of its metrics. */
export const WorkflowInsight = Type.Object({ ...named, metrics: WorkflowMetrics })
export type WorkflowInsight = Static<typeof WorkflowInsight>

/** One job of a workflow, with the window of its metrics. */
export const JobInsight = Type.Object({ ...named, metrics: JobMetrics })
export type JobInsight = Static<typeof JobInsight>

/** What the jobs of one name come to in one day or hour, which begins at `timestamp`. */
export const JobSeriesItem = Type.Object({
  name: Type.String(),
  min_started_at: Time,
  max_ended_at: Time,
  timestamp: Time,
  metrics: Type.Object({
    total_runs: Count,
    failed_runs: Count,
    successful_runs: Count,
    throughput: Ratio,
    median_credits_used: Count,
    total_credits_used: Count,
    duration_metrics: Type.Object({ min: Seconds, median: Seconds, max: Seconds, p95: Seconds, total: Seconds }),
  }),
})
export type JobSeriesItem = Static<typeof JobSeriesItem>

/** One run of a workflow; that of a tag has no branch. */
export const WorkflowRun = Type.Object({
  id: Uuid,
  branch: Type.Optional(Type.String()),
  duration: Type.Integer(),
  created_at: Time,
  stopped_at: Time,
  credits_used: Count,
  status: OneOf(...runStatuses),
})
export type WorkflowRun = Static<typeof WorkflowRun>

/** A job of a workflow that ended; one that never ran took no time. */
export const JobRun = Type.Object({
  id: Uuid,
  branch: Type.Optional(Type.String()),
  duration: Type.Integer(),
  started_at: Time,
  stopped_at: Time,
  credits_used: Count,
  status: OneOf(...runStatuses),
})
export type JobRun = Static<typeof JobRun>

/** One workflow compared with the window before; a trend is now over before, -1 where before was nothing. */
export const WorkflowSummary = Type.Object({
  metrics: Type.Object({ ...workflow, window_start: Nullable(Time), window_end: Nullable(Time) }),
  trends: Type.Object({
    total_runs: Ratio,
    failed_runs: Ratio,
    success_rate: Ratio,
    p95_duration_secs: Ratio,
    median_duration_secs: Ratio,
    total_credits_used: Ratio,
    mttr: Ratio,
    throughput: Ratio,
  }),
  workflow_names: Type.Array(Type.String()),
})
export type WorkflowSummary = Static<typeof WorkflowSummary>
