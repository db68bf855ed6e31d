import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

/** A piece of a log that is still being written: a small one is here whole, a large one is a blob or a part of a file that an agent shows. */
export type RangeRow = Selectable<Schema['log_ranges']>

export const insertRange = statement((db, row: RangeRow) =>
  db.insertInto('log_ranges').values({
    job_id: row.job_id,
    node: row.node,
    step: row.step,
    start: row.start,
    size: row.size,
    bytes: row.bytes,
    at: row.at,
  }),
)

const from = statement((db, at: { job: string; step: number; from: number; most: number }) =>
  db
    .selectFrom('log_ranges')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('node', '=', 0)
    .where('step', '=', at.step)
    .where((eb) => eb(eb('start', '+', eb.ref('size')), '>', at.from))
    .orderBy('start')
    .limit(at.most),
)

/** The pieces that hold what comes after a byte, in order. */
export const rangesFrom = (db: Db, job: string, step: number, after: number, most = 64): Promise<RangeRow[]> =>
  from(db, { job, step, from: after, most })

export async function deleteRanges(tx: Tx, job: string, step: number): Promise<void> {
  await tx.deleteFrom('log_ranges').where('job_id', '=', job).where('node', '=', 0).where('step', '=', step).execute()
}
