import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type QuarantineRow = Selectable<Schema['quarantined_tests']>

/** Tests of a project in quarantine after one of them, by key. */
export const quarantinedAfter = statement((db, at: { project: string; after: string; most: number }) =>
  db
    .selectFrom('quarantined_tests')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('test_key', '>', at.after)
    .orderBy('test_key')
    .limit(at.most),
)

/** Whether a test is in quarantine. */
export const quarantinedTest = statementForOne((db, at: { project: string; key: string }) =>
  db.selectFrom('quarantined_tests').selectAll().where('project_id', '=', at.project).where('test_key', '=', at.key),
)

/** Puts a test there; one that is there gets the new reason. */
export async function quarantine(tx: Tx, row: QuarantineRow): Promise<void> {
  const { reason } = row
  await tx
    .insertInto('quarantined_tests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'test_key']).doUpdateSet({ reason }))
    .execute()
}

/** Whether it was there. */
export async function release(tx: Tx, project: string, key: string): Promise<boolean> {
  const query = tx.deleteFrom('quarantined_tests').where('project_id', '=', project).where('test_key', '=', key)
  return (await query.returning('test_key').executeTakeFirst()) !== undefined
}

/** Where in the history of a test somebody is. */
export interface HistoryPlace {
  readonly recordedAt: string
  readonly job: string
  readonly position: number
}

/** Results of one test, newest first. */
export const historyBefore = (db: Db, key: string, before: HistoryPlace | undefined, most: number) => {
  let query = db
    .selectFrom('test_results')
    .innerJoin('jobs', 'jobs.id', 'test_results.job_id')
    .select([
      'test_results.result',
      'test_results.run_time',
      'test_results.recorded_at',
      'test_results.branch',
      'test_results.revision',
      'test_results.job_id',
      'test_results.position',
      'test_results.workflow_id',
      'jobs.name as job_name',
      'jobs.number as job_number',
    ])
    .where('test_key', '=', key)
  if (before)
    query = query.where((eb) =>
      eb(
        eb.refTuple('test_results.recorded_at', 'test_results.job_id', 'test_results.position'),
        '<',
        eb.tuple(before.recordedAt, before.job, before.position),
      ),
    )
  return query
    .orderBy('test_results.recorded_at', 'desc')
    .orderBy('test_results.job_id', 'desc')
    .orderBy('test_results.position', 'desc')
    .limit(most)
    .execute()
}
