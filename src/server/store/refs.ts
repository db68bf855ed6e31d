import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { keptStatementForOne, statementForOne } from './statement.ts'

export type RevisionRow = Selectable<Schema['revisions']>

const one = keptStatementForOne('refs', (db, at: { project: string; name: string }) =>
  db.selectFrom('refs').select('revision').where('project_id', '=', at.project).where('name', '=', at.name),
)

/** What a ref (`refs/heads/main`) pointed at when we last looked. */
export async function refOf(db: Db, project: string, name: string): Promise<string | undefined> {
  return (await one(db, { project, name }))?.revision
}

export async function refsOf(db: Db, project: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('refs').select(['name', 'revision']).where('project_id', '=', project).execute()
  return new Map(rows.map((row) => [row.name, row.revision]))
}

export async function putRef(tx: Tx, project: string, name: string, revision: string, at: string): Promise<void> {
  await tx
    .insertInto('refs')
    .values({ project_id: project, name, revision, updated_at: at })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet({ revision, updated_at: at }))
    .execute()
}

export async function deleteRef(tx: Tx, project: string, name: string): Promise<void> {
  await tx.deleteFrom('refs').where('project_id', '=', project).where('name', '=', name).execute()
}

export const revisionOf = statementForOne((db, at: { project: string; revision: string }) =>
  db.selectFrom('revisions').selectAll().where('project_id', '=', at.project).where('revision', '=', at.revision),
)

/** What a commit says and which configuration it holds never changes: kept at first sight. */
export async function insertRevision(tx: Tx, row: RevisionRow): Promise<void> {
  await tx
    .insertInto('revisions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
