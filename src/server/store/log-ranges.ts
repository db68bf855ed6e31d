import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

/** Which log is meant: that of one step of one node. */
export interface LogName {
  readonly job: string
  readonly node: number
  readonly step: number
}

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

const from = statement((db, at: { job: string; node: number; step: number; from: number; most: number }) =>
  db
    .selectFrom('log_ranges')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('step', '=', at.step)
    .where((eb) => eb(eb('start', '+', eb.ref('size')), '>', at.from))
    .orderBy('start')
    .limit(at.most),
)

/** The pieces that hold what comes after a byte, in order. */
export const rangesFrom = (db: Db, { job, node, step }: LogName, after: number, most = 64): Promise<RangeRow[]> =>
  from(db, { job, node, step, from: after, most })

export async function deleteRanges(tx: Tx, { job, node, step }: LogName): Promise<void> {
  await tx
    .deleteFrom('log_ranges')
    .where('job_id', '=', job)
    .where('node', '=', node)
    .where('step', '=', step)
    .execute()
}
