import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

/** Values in these tables are sealed: this room never sees what they say. */
export type VariableRow = Selectable<Schema['variables']>

export const variablesOf = statement((db, { project }: { project: string }) =>
  db.selectFrom('variables').selectAll().where('project_id', '=', project).orderBy('name'),
)

/** Sets a variable and gives it as it is kept: one that is replaced stays as old as it was. */
export async function putVariable(tx: Tx, row: VariableRow): Promise<VariableRow> {
  return tx
    .insertInto('variables')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'name']).doUpdateSet({ value: row.value, hint: row.hint }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
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
