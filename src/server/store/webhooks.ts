import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

export type WebhookRow = Selectable<Schema['webhooks']>

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
