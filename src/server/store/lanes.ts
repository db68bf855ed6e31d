import { type Selectable, sql } from 'kysely'
import { lock, lockFree } from './dialect.ts'
import type { Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

export type LaneRow = Selectable<Schema['lanes']>

const put = statement((db, row: LaneRow) =>
  db
    .insertInto('lanes')
    .values({
      id: row.id,
      kind: row.kind,
      subject: row.subject,
      origin: row.origin,
      next_at: row.next_at,
      taken_until: null,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        origin: eb.ref('excluded.origin'),
        next_at: sql<string>`case when excluded.next_at < lanes.next_at then excluded.next_at else lanes.next_at end`,
      })),
    ),
)

/** Says that something waits in lanes, in the transaction that puts it there. In one order, so that no two such transactions wait for each other. */
export async function openLanes(tx: Tx, rows: readonly LaneRow[]): Promise<void> {
  const byId = new Map(rows.toReversed().map((row) => [row.id, row]))
  for (const row of [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))) await put(tx, row)
}

/** Lanes that nobody has and in which something is due, oldest first; none that leads to an origin in `except`. */
export function freeLanes(tx: Tx, now: string, except: readonly string[], most: number): Promise<LaneRow[]> {
  let query = tx
    .selectFrom('lanes')
    .selectAll()
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('taken_until', 'is', null), eb('taken_until', '<=', now)]))
  if (except.length > 0) query = query.where('origin', 'not in', [...except])
  return query.orderBy('next_at').limit(most).$call(lockFree(tx)).execute()
}

/** Takes lanes until a time after which others may. */
export async function takeLanes(tx: Tx, ids: readonly string[], until: string): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('lanes')
    .set({ taken_until: until })
    .where('id', 'in', [...ids])
    .execute()
}

/** Keeps a lane for longer; false when it was lost. */
export async function renewLane(tx: Tx, { id, taken_until }: LaneRow, until: string): Promise<boolean> {
  const kept = await tx
    .updateTable('lanes')
    .set({ taken_until: until })
    .where('id', '=', id)
    .where('taken_until', '=', taken_until)
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/** Reads a lane that is about to be left: whoever puts something into it waits until it is. Nothing when it was lost. */
export const lockLane = (tx: Tx, { id, taken_until }: LaneRow): Promise<LaneRow | undefined> =>
  tx
    .selectFrom('lanes')
    .selectAll()
    .where('id', '=', id)
    .where('taken_until', '=', taken_until)
    .$call(lock(tx))
    .executeTakeFirst()

/** Gives a lane back: gone when nothing waits in it, else due when the next thing in it is. */
export async function leaveLane(tx: Tx, id: string, next: string | undefined): Promise<void> {
  if (next === undefined) await tx.deleteFrom('lanes').where('id', '=', id).execute()
  else await tx.updateTable('lanes').set({ next_at: next, taken_until: null }).where('id', '=', id).execute()
}

/** Forgets who has which lane: for a server that knows itself to be the only one. */
export async function freeAllLanes(tx: Tx): Promise<void> {
  await tx.updateTable('lanes').set({ taken_until: null }).where('taken_until', 'is not', null).execute()
}
