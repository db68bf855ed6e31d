import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

/** Values in these tables are sealed: this room never sees what they say. */
export type VariableRow = Selectable<Schema['variables']>
export type CheckoutKeyRow = Selectable<Schema['checkout_keys']>

export const variablesOf = statement((db, { project }: { project: string }) =>
  db.selectFrom('variables').selectAll().where('project_id', '=', project).orderBy('name'),
)

export async function putVariable(tx: Tx, row: VariableRow): Promise<void> {
  await tx
    .insertInto('variables')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name']).doUpdateSet({ value: row.value, hint: row.hint }),
    )
    .execute()
}

export async function deleteVariable(tx: Tx, project: string, name: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('variables')
    .where('project_id', '=', project)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

export const checkoutKeysOf = (db: Db, project: string): Promise<CheckoutKeyRow[]> =>
  db.selectFrom('checkout_keys').selectAll().where('project_id', '=', project).orderBy('created_at').execute()

export async function insertCheckoutKey(tx: Tx, row: CheckoutKeyRow): Promise<void> {
  await tx.insertInto('checkout_keys').values(row).execute()
}
