import type {
  JobInsight,
  JobMetrics,
  JobRun,
  JobSeriesItem,
  WorkflowInsight,
  WorkflowMetrics,
  WorkflowRun,
} from '#contract/v2/metrics.ts'
import type { FlakyTest, TestMetric, TestMetrics as TestMetricsView } from '#contract/v2/test-insights.ts'
import type { Durations } from '#core/insights/durations.ts'
import { type Metrics, wholeCredits } from '#core/insights/metrics.ts'
import type { Interval } from '#core/insights/series.ts'
import { type Tested, testSuccessRate } from '#core/insights/tested.ts'
import type { flakyTestsOf } from '#server/app/insights/flaky.ts'
import type { JobFact, RunFact } from '#server/app/insights/run-list.ts'
import type { TestMetrics, WorkflowTest } from '#server/app/insights/test-metrics.ts'
import type { Named } from '#server/app/insights/workflow-metrics.ts'

/** An instant as the wire has it. */
export const time = (ms: number): string => new Date(ms).toISOString()

const durationsView = ({ standardDeviation, ...rest }: Durations) => ({
  ...rest,
  standard_deviation: standardDeviation,
})

const jobMetricsView = (metrics: Metrics): JobMetrics => ({
  success_rate: metrics.successRate,
  total_runs: metrics.total,
  failed_runs: metrics.failed,
  successful_runs: metrics.successful,
  throughput: metrics.throughput,
  total_credits_used: metrics.credits,
  duration_metrics: durationsView(metrics.durations),
})

/** Metrics of a workflow. */
export const workflowMetricsView = (metrics: Metrics): WorkflowMetrics => ({
  ...jobMetricsView(metrics),
  mttr: metrics.mttr,
  total_recoveries: metrics.recoveries,
})

/** The window of metrics: from the first run to the last. */
const windowView = ({ window }: Metrics) => ({
  window_start: time(window?.start ?? 0),
  window_end: time(window?.end ?? 0),
})

export const workflowInsightView = ({ name, metrics }: Named): WorkflowInsight => ({
  name,
  ...windowView(metrics),
  metrics: workflowMetricsView(metrics),
})

export const jobInsightView = ({ name, metrics }: Named): JobInsight => ({
  name,
  ...windowView(metrics),
  metrics: jobMetricsView(metrics),
})

export const seriesView = (interval: Interval): JobSeriesItem => ({
  name: interval.name,
  min_started_at: time(interval.firstStart),
  max_ended_at: time(interval.lastEnd),
  timestamp: time(interval.at),
  metrics: {
    total_runs: interval.total,
    failed_runs: interval.failed,
    successful_runs: interval.successful,
    throughput: interval.throughput,
    median_credits_used: interval.medianCredits,
    total_credits_used: interval.credits,
    duration_metrics: interval.durations,
  },
})

export const runView = ({ id, branch, duration, started, credits, status }: RunFact): WorkflowRun => ({
  id,
  ...(branch !== '' && { branch }),
  duration: Math.trunc(duration / 1000),
  created_at: time(started),
  stopped_at: time(started + duration),
  credits_used: wholeCredits(credits),
  status: status as WorkflowRun['status'],
})

export const jobRunView = ({ id, branch, duration, started, credits, status }: JobFact): JobRun => ({
  id,
  ...(branch !== '' && { branch }),
  duration: Math.trunc((duration ?? 0) / 1000),
  started_at: time(started),
  stopped_at: time(started + (duration ?? 0)),
  credits_used: wholeCredits(credits),
  status: status as JobRun['status'],
})

type FlakyRow = Awaited<ReturnType<typeof flakyTestsOf>>[number]

/** In both spellings: clients read the one or the other. */
export function flakyView(row: FlakyRow): FlakyTest {
  const snake = {
    time_wasted: row.timeWasted,
    workflow_created_at: row.workflow_created_at,
    workflow_id: row.workflow_id,
    workflow_name: row.workflow_name,
    pipeline_number: row.pipeline_number,
    test_name: row.name,
    job_name: row.job_name,
    job_number: row.job_number ?? 0,
    times_flaked: row.times,
  }
  return {
    ...snake,
    'time-wasted': snake.time_wasted,
    'workflow-created-at': snake.workflow_created_at,
    'workflow-id': snake.workflow_id,
    'workflow-name': snake.workflow_name,
    'pipeline-number': snake.pipeline_number,
    'test-name': snake.test_name,
    'job-name': snake.job_name,
    'job-number': snake.job_number,
    'times-flaked': snake.times_flaked,
    classname: row.classname,
    source: row.source,
    file: row.file,
  }
}

const testView = ({ test: { row, job, flaky }, runs, failed, p95 }: Tested<WorkflowTest>): TestMetric => ({
  p95_duration: p95,
  total_runs: runs,
  classname: row.classname,
  failed_runs: failed,
  flaky,
  source: row.source,
  file: row.file,
  job_name: job,
  test_name: row.name,
})

export const testMetricsView = (metrics: TestMetrics): TestMetricsView => ({
  average_test_count: metrics.averageCount,
  most_failed_tests: metrics.mostFailed.shown.map(testView),
  most_failed_tests_extra: metrics.mostFailed.extra,
  slowest_tests: metrics.slowest.shown.map(testView),
  slowest_tests_extra: metrics.slowest.extra,
  total_test_runs: metrics.totalRuns,
  test_runs: metrics.runs.map(({ workflow, pipelineNumber, counts }) => ({
    pipeline_number: pipelineNumber,
    workflow_id: workflow,
    success_rate: testSuccessRate(counts),
    test_counts: { ...counts },
  })),
})
