import type { Selectable } from 'kysely'
import { literal, lockFree } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

export type WebhookRow = Selectable<Schema['webhooks']>
export type DeliveryRow = Selectable<Schema['deliveries']>

export const webhooksOf = statement((db, { project }: { project: string }) =>
  db.selectFrom('webhooks').selectAll().where('project_id', '=', project).orderBy('id'),
)

export const webhookById = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute()
}

export async function updateWebhook(tx: Tx, id: string, to: Partial<WebhookRow>): Promise<void> {
  await tx.updateTable('webhooks').set(to).where('id', '=', id).execute()
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** The same event for the same webhook is kept once, however often the dispatcher was interrupted. */
export async function insertDelivery(tx: Tx, row: DeliveryRow): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deliveries whose time has come, taken until `until` so that no other server sends them meanwhile. */
export async function takeDue(tx: Tx, now: string, until: string, most: number): Promise<DeliveryRow[]> {
  const due = await tx
    .selectFrom('deliveries')
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
  return tx.updateTable('deliveries').set({ taken_until: until }).where('id', 'in', ids).returningAll().execute()
}

/** Forgets who was sending what: for a server that knows itself to be the only one. */
export async function releaseTaken(tx: Tx): Promise<void> {
  await tx.updateTable('deliveries').set({ taken_until: null }).where('state', '=', literal('pending')).execute()
}

/** When the next delivery that nobody is sending wants to be sent. */
export async function nextDue(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select('next_at')
    .where('state', '=', literal('pending'))
    .where('taken_until', 'is', null)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_at
}

export async function updateDelivery(tx: Tx, id: string, to: Partial<DeliveryRow>): Promise<void> {
  await tx.updateTable('deliveries').set(to).where('id', '=', id).execute()
}
