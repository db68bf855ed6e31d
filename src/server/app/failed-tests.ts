import type { UserId, WorkflowId } from '#core/ids.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { failedTestsOf } from '#server/store/test-results.ts'
import { rerunWorkflow } from './reruns.ts'
import type { World } from './world.ts'

/** A run with more failures than this is run whole: there is little to leave out. */
const mostFailures = 20_000

/** A test that did not pass. */
export interface FailedTest {
  readonly file: string
  readonly classname: string
  readonly name: string
}

/** Runs a workflow again from what failed; in it `tests run` runs only the tests that failed. */
export const rerunFailedTests = (world: World, by: UserId, id: WorkflowId): Promise<WorkflowId> =>
  rerunWorkflow(world, by, id, { fromFailed: true }, true)

/** The tests to which a job is to keep itself; undefined: all of them, also where the run before tells of no failed test. */
export async function failedTestsBefore(world: World, lease: LeaseRow): Promise<readonly FailedTest[] | undefined> {
  const stored = await findWorkflow(world.db, lease.workflow_id as WorkflowId)
  if (stored?.row.only_failed_tests !== 1) return undefined
  const before = (await jobById(world.db, { id: lease.job_id }))?.retry_of
  if (!before) return undefined
  const rows = await failedTestsOf(world.db, before, mostFailures + 1)
  if (rows.length === 0 || rows.length > mostFailures) return undefined
  return rows.map(({ file, classname, name }) => ({ file, classname, name }))
}
