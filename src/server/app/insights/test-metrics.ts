import { countEndings, gatherTests, mostFailed, slowest, type TestCounts, type Worst } from '#core/insights/tested.ts'
import { workflowWithNumber } from '#server/store/workflows.ts'
import { afterAll, runsBefore } from '#server/store/run-list.ts'
import { type LeanTest, testedJobsOf, testsOfJob } from '#server/store/test-facts.ts'
import { findFlaky } from './flaky.ts'
import type { Branches } from './read-runs.ts'
import type { Source } from './source.ts'

/** A test of a workflow: its names, the job that runs it, and whether it is flaky now. */
export interface WorkflowTest {
  readonly row: LeanTest
  readonly job: string
  readonly flaky: boolean
}

/** What the latest runs of a workflow tell of its tests. */
export interface TestMetrics {
  readonly averageCount: number
  readonly mostFailed: Worst<WorkflowTest>
  readonly slowest: Worst<WorkflowTest>
  readonly totalRuns: number
  readonly runs: readonly { readonly workflow: string; readonly pipelineNumber: number; readonly counts: TestCounts }[]
}

/** So many of the latest runs are looked at (§4.2). */
const mostRuns = 10

export async function testMetrics(
  source: Source,
  project: string,
  workflow: string,
  branches: Branches,
): Promise<TestMetrics> {
  const { db } = source
  const of = { project, workflow, branches, from: 0, to: Number.MAX_SAFE_INTEGER }
  const latest = await runsBefore(db, of, afterAll, mostRuns)
  const flaky = new Set((await findFlaky(source, project)).map(({ test }) => test))
  const tests = gatherTests<WorkflowTest>()
  const runs: TestMetrics['runs'][number][] = []
  for (const { id } of latest) {
    const endings = new Map<string, number>()
    for (const job of await testedJobsOf(db, { workflow: id })) {
      for await (const row of testsOfJob(db, job.id)) {
        endings.set(row.result, (endings.get(row.result) ?? 0) + 1)
        // A test that was skipped took no time, and neither failed nor passed.
        if (row.result === 'skipped') continue
        const test = () => ({ row, job: job.name, flaky: flaky.has(row.test_key) })
        tests.add(`${job.name} ${row.test_key}`, test, row.result, row.run_time)
      }
    }
    const counts = countEndings(endings)
    if (counts.total === 0) continue
    const pipelineNumber = (await workflowWithNumber(db, { id }))?.pipeline_number ?? 0
    runs.push({ workflow: id, pipelineNumber, counts })
  }
  const all = tests.all()
  const sum = runs.reduce((total, { counts }) => total + counts.total, 0)
  return {
    averageCount: runs.length === 0 ? 0 : Math.trunc(sum / runs.length),
    mostFailed: mostFailed(all),
    slowest: slowest(all),
    totalRuns: runs.length,
    runs,
  }
}
