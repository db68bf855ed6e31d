import { type Static, Type } from 'typebox'
import { Time, Uuid } from '#contract/endpoint.ts'

const kebab = {
  'time-wasted': Type.Integer(),
  'workflow-created-at': Time,
  'workflow-id': Uuid,
  'workflow-name': Type.String(),
  'pipeline-number': Type.Integer(),
  'test-name': Type.String(),
  'job-name': Type.String(),
  'job-number': Type.Integer(),
  'times-flaked': Type.Integer(),
}

const snake = {
  time_wasted: Type.Integer(),
  workflow_created_at: Time,
  workflow_id: Uuid,
  workflow_name: Type.String(),
  pipeline_number: Type.Integer(),
  test_name: Type.String(),
  job_name: Type.String(),
  job_number: Type.Integer(),
  times_flaked: Type.Integer(),
}

/** A test that passed and failed on one commit, with the latest run in which it did; real clients read either spelling. */
export const FlakyTest = Type.Object({
  ...kebab,
  ...snake,
  classname: Type.String(),
  source: Type.String(),
  file: Type.String(),
})
export type FlakyTest = Static<typeof FlakyTest>

/** The flaky tests of a project. */
export const FlakyTests = Type.Object({
  'flaky-tests': Type.Array(FlakyTest),
  flaky_tests: Type.Array(FlakyTest),
  'total-flaky-tests': Type.Integer(),
  total_flaky_tests: Type.Integer(),
})
export type FlakyTests = Static<typeof FlakyTests>

/** What the runs of one test come to; the duration is in seconds. */
export const TestMetric = Type.Object({
  p95_duration: Type.Number(),
  total_runs: Type.Integer(),
  classname: Type.String(),
  failed_runs: Type.Integer(),
  flaky: Type.Boolean(),
  source: Type.String(),
  file: Type.String(),
  job_name: Type.String(),
  test_name: Type.String(),
})
export type TestMetric = Static<typeof TestMetric>

/** The tests of the ten most recent runs of a workflow; `*_extra` counts those left out that are as bad. */
export const TestMetrics = Type.Object({
  average_test_count: Type.Integer(),
  most_failed_tests: Type.Array(TestMetric),
  most_failed_tests_extra: Type.Integer(),
  slowest_tests: Type.Array(TestMetric),
  slowest_tests_extra: Type.Integer(),
  total_test_runs: Type.Integer(),
  test_runs: Type.Array(
    Type.Object({
      pipeline_number: Type.Integer(),
      workflow_id: Uuid,
      success_rate: Type.Number(),
      test_counts: Type.Object({
        error: Type.Integer(),
        failure: Type.Integer(),
        skipped: Type.Integer(),
        success: Type.Integer(),
        total: Type.Integer(),
      }),
    }),
  ),
})
export type TestMetrics = Static<typeof TestMetrics>
