import type { Db } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/** So many are read in a few milliseconds. */
const fewRuns = 1_000
const fewJobs = 4_000
const fewTests = 4_000

const manyRuns = statementForOne((db, at: { project: string; few: number }) =>
  db.selectFrom('run_facts').select('started').where('project_id', '=', at.project).limit(1).offset(at.few),
)
const manyJobs = statementForOne((db, at: { project: string; few: number }) =>
  db.selectFrom('job_facts').select('started').where('project_id', '=', at.project).limit(1).offset(at.few),
)
const someReports = statement((db, at: { project: string; most: number }) =>
  db.selectFrom('test_reports').select('tests').where('project_id', '=', at.project).limit(at.most),
)

/** Whether so much is known of a project that others should not wait while it is counted. */
export async function hasMuch(db: Db, project: string): Promise<boolean> {
  if (await manyRuns(db, { project, few: fewRuns })) return true
  if (await manyJobs(db, { project, few: fewJobs })) return true
  const reports = await someReports(db, { project, most: 200 })
  return reports.reduce((sum, { tests }) => sum + tests, 0) > fewTests
}
