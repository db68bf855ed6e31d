import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/** The secret is sealed: this room never sees it. */
export type ReceiverRow = Selectable<Schema['receivers']>

export const receiverById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('receivers').selectAll().where('id', '=', id),
)

/** All receivers of an organization, its projects' too, oldest first. */
export const receiversOf = statement((db, { organization }: { organization: string }) =>
  db.selectFrom('receivers').selectAll().where('organization_id', '=', organization).orderBy('id'),
)

export async function insertReceiver(tx: Tx, row: ReceiverRow): Promise<void> {
  await tx.insertInto('receivers').values(row).execute()
}

/** Deletes a receiver with everything it received. */
export async function deleteReceiver(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('hooks').where('receiver_id', '=', id).execute()
  await tx.deleteFrom('receivers').where('id', '=', id).execute()
}
