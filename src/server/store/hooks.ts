import type { Selectable } from 'kysely'
import { literal, lockFree } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type HookRow = Selectable<Schema['hooks']>

/** A hook without what it said. */
export type HookGlance = Omit<HookRow, 'body'>

const insert = statementForOne((db, row: HookRow) =>
  db
    .insertInto('hooks')
    .values({
      id: row.id,
      receiver_id: row.receiver_id,
      delivery: row.delivery,
      event: row.event,
      type: row.type,
      body: row.body,
      state: row.state,
      attempts: row.attempts,
      next_at: row.next_at,
      taken_until: null,
      project_id: null,
      outcome: null,
      received_at: row.received_at,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['receiver_id', 'delivery']).doNothing())
    .returning('id'),
)

/** Keeps a hook; false where the provider sent the same one before. */
export const insertHook = async (tx: Tx, row: HookRow): Promise<boolean> => (await insert(tx, row)) !== undefined

export const hookById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('hooks').selectAll().where('id', '=', id),
)

/** Lets a hook be processed once more: one that failed (`only`), or any. Says whether there was one. */
export async function renewHook(
  tx: Tx,
  which: { readonly id: string } | { readonly receiver: string; readonly delivery: string },
  at: string,
  only: 'failed' | 'ended',
): Promise<boolean> {
  let query = tx
    .updateTable('hooks')
    .set({ state: 'pending', attempts: 0, next_at: at, taken_until: null, outcome: null, finished_at: null })
  query =
    'id' in which
      ? query.where('id', '=', which.id)
      : query.where('receiver_id', '=', which.receiver).where('delivery', '=', which.delivery)
  query = only === 'failed' ? query.where('state', '=', 'failed') : query.where('state', '!=', 'pending')
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Takes hooks that nobody processes, oldest first; each is this server's until `until`. */
export async function takeHooks(tx: Tx, now: string, until: string, most: number): Promise<HookRow[]> {
  const due = await tx
    .selectFrom('hooks')
    .select('id')
    .where('state', '=', literal('pending'))
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('taken_until', 'is', null), eb('taken_until', '<=', now)]))
    .orderBy('next_at')
    .orderBy('id')
    .limit(most)
    .$call(lockFree(tx))
    .execute()
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  const rows = await tx.updateTable('hooks').set({ taken_until: until }).where('id', 'in', ids).returningAll().execute()
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Forgets who was processing what: for a server that knows itself to be the only one. */
export async function releaseHooks(tx: Tx): Promise<void> {
  await tx.updateTable('hooks').set({ taken_until: null }).where('state', '=', literal('pending')).execute()
}

/** Writes how hooks stand that stand alike. */
export async function updateHooks(tx: Tx, ids: readonly string[], to: Partial<HookRow>): Promise<void> {
  await tx
    .updateTable('hooks')
    .set(to)
    .where('id', 'in', [...ids])
    .execute()
}

const glance = [
  'id',
  'receiver_id',
  'delivery',
  'event',
  'type',
  'state',
  'attempts',
  'next_at',
  'taken_until',
  'project_id',
  'outcome',
  'received_at',
  'finished_at',
] as const

/** What a receiver got before `before`, newest first. */
export const hooksBefore = statement((db, at: { receiver: string; before: string; most: number }) =>
  db
    .selectFrom('hooks')
    .select(glance)
    .where('receiver_id', '=', at.receiver)
    .where('id', '<', at.before)
    .orderBy('id', 'desc')
    .limit(at.most),
)

/** Throws away some of what came before a time; says how many. */
export async function deleteHooksBefore(tx: Tx, at: string, most: number): Promise<number> {
  const old = tx
    .selectFrom('hooks')
    .select('id')
    .where('received_at', '<', at)
    .where('state', '!=', 'pending')
    .limit(most)
  return (await tx.deleteFrom('hooks').where('id', 'in', old).returning('id').execute()).length
}

/** How many hooks wait to be processed. */
export async function pendingHooks(db: Db): Promise<number> {
  const row = await db
    .selectFrom('hooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', literal('pending'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
