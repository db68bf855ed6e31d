import type { Selectable } from 'kysely'
import type { Db, Schema } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type TestReportRow = Selectable<Schema['test_reports']>

/** What a step has brought so far. */
export const testReportOf = statementForOne((db, at: { job: string; node: number; step: number }) =>
  db
    .selectFrom('test_reports')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('step', '=', at.step),
)

/** Begins the report of a step, unless somebody just did. */
export const insertTestReport = statement((db, row: TestReportRow) =>
  db
    .insertInto('test_reports')
    .values({
      job_id: row.job_id,
      node: row.node,
      step: row.step,
      project_id: row.project_id,
      workflow_id: row.workflow_id,
      job_name: row.job_name,
      branch: row.branch,
      batches: row.batches,
      tests: row.tests,
      failures: row.failures,
      bytes: row.bytes,
      problems: row.problems,
      recorded_at: row.recorded_at,
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'node', 'step']).doNothing()),
)

/** Counts one more batch, if it is the next one; nothing where somebody was faster. */
export const growTestReport = statementForOne(
  (
    db,
    to: {
      job: string
      node: number
      step: number
      batch: number
      tests: number
      failures: number
      bytes: number
      /** All of them so far, as JSON. */
      problems: string
    },
  ) =>
    db
      .updateTable('test_reports')
      .set((eb) => ({
        batches: eb('batches', '+', 1),
        tests: eb('tests', '+', to.tests),
        failures: eb('failures', '+', to.failures),
        bytes: eb('bytes', '+', to.bytes),
        problems: to.problems,
      }))
      .where('job_id', '=', to.job)
      .where('node', '=', to.node)
      .where('step', '=', to.step)
      .where('batches', '=', to.batch)
      .returning('batches'),
)

/** Everything that the steps of a job have brought. */
export const testReportsOf = statement((db, { job }: { job: string }) =>
  db.selectFrom('test_reports').selectAll().where('job_id', '=', job).orderBy('node').orderBy('step'),
)

/** A job that brought test results. */
export interface TestedJob {
  readonly job: string
  readonly status: string
  readonly onlyFailed: number
}

/** A job has a report for each node and step that brought results: so many of them are looked at for each job that is wanted. */
const reportsPerJob = 20

/** The jobs of one name that brought test results and have ended, newest first; on one branch, if it is named. */
export async function testedJobs(
  db: Db,
  of: { readonly project: string; readonly name: string; readonly branch?: string },
  most: number,
): Promise<readonly TestedJob[]> {
  let query = db
    .selectFrom('test_reports')
    .innerJoin('jobs', 'jobs.id', 'test_reports.job_id')
    .innerJoin('workflows', 'workflows.id', 'test_reports.workflow_id')
    .select(['test_reports.job_id as job', 'jobs.status as status', 'workflows.only_failed_tests as onlyFailed'])
    .where('test_reports.project_id', '=', of.project)
    .where('test_reports.job_name', '=', of.name)
    .where('jobs.status', 'in', ['success', 'failed'])
  if (of.branch !== undefined) query = query.where('test_reports.branch', '=', of.branch)
  const rows = await query
    .orderBy('test_reports.recorded_at', 'desc')
    .limit(most * reportsPerJob)
    .execute()
  return [...new Map(rows.map((row) => [row.job, row])).values()].slice(0, most)
}
