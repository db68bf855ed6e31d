import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type DefinitionRow = Selectable<Schema['pipeline_definitions']>

export async function insertDefinition(tx: Tx, row: DefinitionRow): Promise<void> {
  await tx.insertInto('pipeline_definitions').values(row).execute()
}

export const definitionOf = statementForOne((db, at: { project: string; id: string }) =>
  db.selectFrom('pipeline_definitions').selectAll().where('id', '=', at.id).where('project_id', '=', at.project),
)

/** Reads a definition that is about to change: whoever else wants to waits. */
export const lockDefinition = statementForOne((db, at: { project: string; id: string }) =>
  db
    .selectFrom('pipeline_definitions')
    .selectAll()
    .where('id', '=', at.id)
    .where('project_id', '=', at.project)
    .$call(lock(db)),
)

/** The definitions of a project, oldest first; there are few. */
export const definitionsOf = statement((db, { project }: { project: string }) =>
  db.selectFrom('pipeline_definitions').selectAll().where('project_id', '=', project).orderBy('id'),
)

export async function updateDefinition(tx: Tx, id: string, to: Partial<DefinitionRow>): Promise<void> {
  await tx.updateTable('pipeline_definitions').set(to).where('id', '=', id).execute()
}

/** Deletes a definition and what triggers it. */
export async function deleteDefinition(tx: Tx, project: string, id: string): Promise<void> {
  await tx.deleteFrom('triggers').where('project_id', '=', project).where('definition_id', '=', id).execute()
  await tx.deleteFrom('pipeline_definitions').where('project_id', '=', project).where('id', '=', id).execute()
}
