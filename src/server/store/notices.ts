import type { Selectable } from 'kysely'
import { literal, lockFree } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type NoticeRow = Selectable<Schema['notices']>

const byPipeline = statementForOne((db, { pipeline }: { pipeline: string }) =>
  db.selectFrom('notified').select('urls').where('pipeline_id', '=', pipeline),
)

/** The addresses that get every ended build of a pipeline. */
export async function notifiedBy(db: Db, pipeline: string): Promise<readonly string[]> {
  const row = await byPipeline(db, { pipeline })
  return row ? (JSON.parse(row.urls) as string[]) : []
}

/** Keeps them; a pipeline that is continued has those of its second configuration. */
export async function keepNotified(tx: Tx, pipeline: string, urls: readonly string[]): Promise<void> {
  const row = { pipeline_id: pipeline, urls: JSON.stringify(urls) }
  await tx
    .insertInto('notified')
    .values(row)
    .onConflict((conflict) => conflict.column('pipeline_id').doUpdateSet({ urls: row.urls }))
    .execute()
}

/** The same build for the same address is kept once, however often the dispatcher was interrupted. */
export async function insertNotice(tx: Tx, row: NoticeRow): Promise<void> {
  await tx
    .insertInto('notices')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notices whose time has come, taken until `until` so that no other server sends them meanwhile. */
export async function takeDueNotices(tx: Tx, now: string, until: string, most: number): Promise<NoticeRow[]> {
  const due = await tx
    .selectFrom('notices')
    .select('id')
    .where('state', '=', literal('pending'))
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('taken_until', 'is', null), eb('taken_until', '<=', now)]))
    .orderBy('next_at')
    .limit(most)
    .$call(lockFree(tx))
    .execute()
  if (due.length === 0) return []
  const ids = due.map((row) => row.id)
  return tx.updateTable('notices').set({ taken_until: until }).where('id', 'in', ids).returningAll().execute()
}

/** Forgets who was sending what: for a server that knows itself to be the only one. */
export async function releaseTakenNotices(tx: Tx): Promise<void> {
  await tx.updateTable('notices').set({ taken_until: null }).where('state', '=', literal('pending')).execute()
}

/** When the next notice that nobody is sending wants to be sent. */
export async function nextNoticeDue(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('notices')
    .select('next_at')
    .where('state', '=', literal('pending'))
    .where('taken_until', 'is', null)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_at
}

export async function updateNotice(tx: Tx, id: string, to: Partial<NoticeRow>): Promise<void> {
  await tx.updateTable('notices').set(to).where('id', '=', id).execute()
}
