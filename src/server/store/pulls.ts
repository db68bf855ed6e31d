import type { Selectable } from 'kysely'
import { literal } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

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

/** The open pull requests that come from a branch of the project itself. */
export const openPullsOf = statement((db, at: { project: string; branch: string }) =>
  db
    .selectFrom('pulls')
    .select(['number', 'url'])
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('state', '=', literal('open'))
    .where('fork', '=', 0)
    .orderBy('number')
    .limit(20),
)

/** Notes that the pull requests of a branch of the project itself are closed, but for some. */
export async function closeOwnPulls(
  tx: Tx,
  { project, branch, but }: { readonly project: string; readonly branch: string; readonly but: readonly number[] },
): Promise<void> {
  let query = tx
    .updateTable('pulls')
    .set({ state: 'closed' })
    .where('project_id', '=', project)
    .where('branch', '=', branch)
    .where('state', '=', literal('open'))
    .where('fork', '=', 0)
  if (but.length > 0) query = query.where('number', 'not in', [...but])
  await query.execute()
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

/** Whether a commit came in the pull request of a fork. */
export async function forkHas(db: Db, at: { readonly project: string; readonly revision: string }): Promise<boolean> {
  const pull = db
    .selectFrom('pulls')
    .select('number')
    .where('project_id', '=', at.project)
    .where('fork', '=', 1)
    .where('revision', '=', at.revision)
  if (await pull.executeTakeFirst()) return true
  const built = db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', at.project)
    .where('revision', '=', at.revision)
    .where('branch', 'like', 'pull/%')
  return (await built.executeTakeFirst()) !== undefined
}

/** A pipeline of a commit that came to a branch or a tag of the project itself, if there is one. */
export const wasBuiltAsOwn = statementForOne((db, at: { project: string; revision: string }) =>
  db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', at.project)
    .where('revision', '=', at.revision)
    .where('trigger_type', '=', literal('webhook'))
    .where('trust', '=', literal('trusted'))
    .where((eb) => eb.or([eb('branch', 'is', null), eb('branch', 'not like', 'pull/%')]))
    .limit(1),
)
