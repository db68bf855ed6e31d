import { hash } from 'node:crypto'
import { Refusal } from '#kit/refusal.ts'
import { roomInJournal } from '#server/store/checkpoints.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import type { Tx } from '#server/store/schema.ts'
import { insertTestOutput } from '#server/store/test-outputs.ts'
import { growTestReport, insertTestReport, testReportOf, type TestReportRow } from '#server/store/test-reports.ts'
import { insertTestResults } from '#server/store/test-results.ts'
import { checkHeld } from './held.ts'
import type { World } from './world.ts'

/** The result of one test, as its agent tells it. */
export interface ToldTest {
  readonly classname: string
  readonly name: string
  readonly file: string
  readonly source: string
  readonly result: string
  readonly message: string
  readonly run_time: number
  /** What it printed, where that is known. */
  readonly output?: string
}

/** One batch of results, numbered from 0. */
export interface TestBatch {
  readonly batch: number
  readonly tests: readonly ToldTest[]
  readonly bytes: number
  readonly problems: readonly string[]
}

/** Of a step: nobody looks at what more tests printed. */
const mostOutputs = 300

/** More problems than this help nobody. */
const mostProblems = 100

/**
 * Keeps a batch of test results, in a transaction of its own: a batch is small, so that others get their turn between two.
 * Says how many batches there are; one that was kept before is not kept again.
 */
export async function storeTests(world: World, lease: LeaseRow, step: number, batch: TestBatch): Promise<number> {
  const job = await jobById(world.db, { id: lease.job_id })
  const pipeline = job && (await pipelineById(world.db, { id: job.pipeline_id }))
  if (!job || !pipeline) throw new Refusal('not-found', 'Job not found.')
  const at = { job: job.id, node: lease.node, step }
  const recorded_at = world.now()
  const about = {
    job_id: job.id,
    node: lease.node,
    step,
    project_id: job.project_id,
    workflow_id: job.workflow_id,
    branch: pipeline.branch,
  }
  await roomInJournal(world.db)
  return world.db.transaction().execute(async (tx) => {
    await checkHeld(tx, lease)
    const none = { batches: 0, tests: 0, failures: 0, bytes: 0, problems: '[]' }
    if (batch.batch === 0) await insertTestReport(tx, { ...about, ...none, job_name: job.name, recorded_at })
    const report = await testReportOf(tx, at)
    if (report?.batches !== batch.batch) return report?.batches ?? 0
    const problems = [...(JSON.parse(report.problems) as string[]), ...batch.problems].slice(0, mostProblems)
    const grown = await growTestReport(tx, {
      ...at,
      batch: batch.batch,
      tests: batch.tests.length,
      failures: batch.tests.filter(({ result }) => isFailed(result)).length,
      bytes: batch.bytes,
      problems: JSON.stringify(problems),
    })
    if (!grown) return batch.batch
    await insertTestResults(
      tx,
      batch.tests.map(({ output: _, ...test }, i) => ({
        ...about,
        ...test,
        position: report.tests + i,
        revision: pipeline.revision,
        test_key: testKey(job.project_id, test),
        recorded_at,
      })),
    )
    await keepOutputs(tx, at, batch.tests, report)
    return batch.batch + 1
  })
}

/** Keeps what failed tests printed, of the first of a step. */
async function keepOutputs(
  tx: Tx,
  { job, node, step }: { readonly job: string; readonly node: number; readonly step: number },
  tests: readonly ToldTest[],
  before: Pick<TestReportRow, 'tests' | 'failures'>,
): Promise<void> {
  let { failures } = before
  for (const [i, { result, output = '' }] of tests.entries()) {
    if (!isFailed(result) || failures++ >= mostOutputs || output === '') continue
    await insertTestOutput(tx, { job_id: job, node, step, position: before.tests + i, output })
  }
}

const isFailed = (result: string): boolean => result === 'failure' || result === 'error'

/** By what the same test is known in every run of a project. */
export function testKey(project: string, test: Pick<ToldTest, 'classname' | 'name' | 'file'>): string {
  const text = [project, test.classname, test.name, test.file].join('\0')
  return hash('sha256', text, 'buffer').subarray(0, 16).toString('base64url')
}
