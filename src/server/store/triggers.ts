import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type TriggerRow = Selectable<Schema['triggers']>

export async function insertTrigger(tx: Tx, row: TriggerRow): Promise<void> {
  await tx.insertInto('triggers').values(row).execute()
}

export const triggerById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('triggers').selectAll().where('id', '=', id),
)

/** Reads a trigger that is about to change or to fire: whoever else wants to waits. */
export const lockTrigger = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('triggers').selectAll().where('id', '=', id).$call(lock(db)),
)

/** What triggers a definition, oldest first; there are few. */
export const triggersOf = statement((db, at: { project: string; definition: string }) =>
  db
    .selectFrom('triggers')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('definition_id', '=', at.definition)
    .orderBy('id'),
)

/** What pushes to the repository of a project trigger beside the usual definition, with the path of each configuration. */
export const pushTriggersOf = statement((db, { project }: { project: string }) =>
  db
    .selectFrom('triggers')
    .innerJoin('pipeline_definitions', 'pipeline_definitions.id', 'triggers.definition_id')
    .selectAll('triggers')
    .select('pipeline_definitions.config_path')
    .where('triggers.project_id', '=', project)
    .where('triggers.preset', 'is not', null)
    .where('triggers.disabled', '=', 0)
    .orderBy('triggers.id'),
)

export async function updateTrigger(tx: Tx, id: string, to: Partial<TriggerRow>): Promise<void> {
  await tx.updateTable('triggers').set(to).where('id', '=', id).execute()
}

export async function deleteTrigger(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('triggers').where('id', '=', id).execute()
}

/** Triggers whose time has come. */
export const dueTriggers = (db: Db, now: string, most: number): Promise<TriggerRow[]> =>
  db
    .selectFrom('triggers')
    .selectAll()
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(most)
    .execute()
