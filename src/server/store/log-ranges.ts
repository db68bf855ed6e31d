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
    times: row.times,
  }),
)

type Place = {
  readonly job: string
  readonly node: number
  readonly step: number
  readonly from: number
  readonly most: number
}

/** The pieces from the one that holds a byte on. Those before it are passed over by the key: a long log has many. */
const piecesFrom = (db: Db, at: Place) =>
  db
    .selectFrom('log_ranges')
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('step', '=', at.step)
    .where('start', '>=', (eb) =>
      eb
        .selectFrom('log_ranges as earlier')
        .select((row) => row.fn.coalesce(row.fn.max('earlier.start'), row.val(0)).as('start'))
        .where('earlier.job_id', '=', at.job)
        .where('earlier.node', '=', at.node)
        .where('earlier.step', '=', at.step)
        .where('earlier.start', '<=', at.from),
    )
    .where((eb) => eb(eb('start', '+', eb.ref('size')), '>', at.from))
    .orderBy('start')
    .limit(at.most)

const from = statement((db, at: Place) => piecesFrom(db, at).selectAll('log_ranges'))

/** The pieces that hold what comes after a byte, in order. */
export const rangesFrom = (db: Db, { job, node, step }: LogName, after: number, most = 64): Promise<RangeRow[]> =>
  from(db, { job, node, step, from: after, most })

/** When the pieces that hold what comes after a byte were seen, in order. */
export const timesFrom = statement((db, at: Place) => piecesFrom(db, at).select(['start', 'size', 'times']))

export async function deleteRanges(tx: Tx, { job, node, step }: LogName): Promise<void> {
  await tx
    .deleteFrom('log_ranges')
    .where('job_id', '=', job)
    .where('node', '=', node)
    .where('step', '=', step)
    .execute()
}
