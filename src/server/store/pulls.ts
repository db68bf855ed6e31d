import type { Selectable } from 'kysely'
import { literal } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type PullRow = Selectable<Schema['pulls']>

export const pullOf = statementForOne((db, at: { project: string; number: number }) =>
  db.selectFrom('pulls').selectAll().where('project_id', '=', at.project).where('number', '=', at.number),
)

/** The branches of the project itself that open pull requests come from. */
export async function branchesInPulls(db: Db, project: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('pulls')
    .select('branch')
    .where('project_id', '=', project)
    .where('state', '=', literal('open'))
    .where('fork', '=', 0)
    .execute()
  return rows.map(({ branch }) => branch)
}

/** Writes how a pull request stands now. */
export async function putPull(tx: Tx, row: PullRow): Promise<void> {
  const { project_id: _, number: __, ...changes } = row
  await tx
    .insertInto('pulls')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'number']).doUpdateSet(changes))
    .execute()
}

/** A pipeline of a revision on a branch, if there was one. */
export const pipelineOfRevision = statementForOne((db, at: { project: string; branch: string; revision: string }) =>
  db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('revision', '=', at.revision)
    .where('number', '>', 0)
    .limit(1),
)
