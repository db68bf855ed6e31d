import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'

export type OpenPushRow = Selectable<Schema['open_pushes']>

export async function insertOpenPush(tx: Tx, row: OpenPushRow): Promise<void> {
  await tx.insertInto('open_pushes').values(row).execute()
}

export async function deleteOpenPush(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('open_pushes').where('id', '=', id).execute()
}

export const openPushes = (db: Db): Promise<OpenPushRow[]> =>
  db.selectFrom('open_pushes').selectAll().orderBy('id').execute()
