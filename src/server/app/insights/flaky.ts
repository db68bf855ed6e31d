import { type Failure, type Flaky, flakyMs, flakyTests } from '#core/insights/flaky.ts'
import { instant } from '#kit/brand.ts'
import { failedSince, type FailureRow, testAt } from '#server/store/test-facts.ts'
import type { Source } from './source.ts'

/** A failure, and where its result is. */
export interface PlacedFailure extends Failure {
  readonly row: FailureRow
}

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

/** The tests of a project that are flaky now. A failure of four weeks ago may have become a flake within the last two. */
export async function findFlaky({ db, now }: Source, project: string): Promise<readonly Flaky<PlacedFailure>[]> {
  const failures: PlacedFailure[] = []
  for await (const row of failedSince(db, project, instant(new Date(now - 2 * flakyMs)))) {
    if (row.passed_before === null && row.passed_after === null) continue
    failures.push({
      test: row.test_key,
      at: Date.parse(row.recorded_at),
      passedBefore: timeOf(row.passed_before),
      passedAfter: timeOf(row.passed_after),
      runTime: row.run_time,
      row,
    })
  }
  return flakyTests(failures, now)
}

/** The flaky tests of a project, with the run of the last flake of each. */
export async function flakyTestsOf(source: Source, project: string) {
  const found = []
  for (const { times, timeWasted, last } of await findFlaky(source, project)) {
    const { job_id: job, node, step, position } = last.row
    const [test] = await testAt(source.db, { job, node, step, position })
    if (test) found.push({ ...test, times, timeWasted })
  }
  return found
}
