import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/** Values of variables are sealed: this room never sees what they say. */
export type ContextRow = Selectable<Schema['contexts']>
export type ContextVariableRow = Selectable<Schema['context_variables']>
export type RestrictionRow = Selectable<Schema['context_restrictions']>

export const contextById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('contexts').selectAll().where('id', '=', id),
)

/** A page of the contexts of an organization, oldest first. */
export const contextsAfter = statement((db, at: { organization: string; after: string; most: number }) =>
  db
    .selectFrom('contexts')
    .selectAll()
    .where('organization_id', '=', at.organization)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.most),
)

/** The contexts of an organization that have one of these names. */
export const contextsNamed = (db: Db, organization: string, names: readonly string[]): Promise<ContextRow[]> =>
  db
    .selectFrom('contexts')
    .selectAll()
    .where('organization_id', '=', organization)
    .where('name', 'in', [...names])
    .execute()

export const countContexts = async (db: Db, organization: string): Promise<number> => {
  const { count } = await db
    .selectFrom('contexts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether it was made; false when the organization has one of that name. */
export async function insertContext(tx: Tx, row: ContextRow): Promise<boolean> {
  const query = tx
    .insertInto('contexts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Deletes a context with its variables and restrictions. */
export async function deleteContext(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('context_variables').where('context_id', '=', id).execute()
  await tx.deleteFrom('context_restrictions').where('context_id', '=', id).execute()
  await tx.deleteFrom('contexts').where('id', '=', id).execute()
}

/** Holds a context: whoever else wants to change what is in it waits. */
export const lockContext = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('contexts').select('id').where('id', '=', id).$call(lock(db)),
)

export const contextVariables = (db: Db, context: string): Promise<ContextVariableRow[]> =>
  db.selectFrom('context_variables').selectAll().where('context_id', '=', context).orderBy('name').execute()

export async function putContextVariable(tx: Tx, row: ContextVariableRow): Promise<void> {
  await tx
    .insertInto('context_variables')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['context_id', 'name']).doUpdateSet({ value: row.value, updated_at: row.updated_at }),
    )
    .execute()
}

export async function deleteContextVariable(tx: Tx, context: string, name: string): Promise<boolean> {
  const query = tx.deleteFrom('context_variables').where('context_id', '=', context).where('name', '=', name)
  return (await query.returning('name').executeTakeFirst()) !== undefined
}

export const restrictionsOf = (db: Db, contexts: readonly string[]): Promise<RestrictionRow[]> =>
  db
    .selectFrom('context_restrictions')
    .selectAll()
    .where('context_id', 'in', [...contexts])
    .orderBy('id')
    .execute()

/** Whether it was made; false when there is the same one. */
export async function insertRestriction(tx: Tx, row: RestrictionRow): Promise<boolean> {
  const query = tx
    .insertInto('context_restrictions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export async function deleteRestriction(tx: Tx, context: string, id: string): Promise<boolean> {
  const query = tx.deleteFrom('context_restrictions').where('context_id', '=', context).where('id', '=', id)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}
