import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type LayerRow = Selectable<Schema['layers']>

/** Keeps what a step put into the workspace; gives the id of what it had put there before. */
export async function keepLayer(tx: Tx, row: LayerRow): Promise<string | undefined> {
  const before = await tx
    .deleteFrom('layers')
    .where('job_id', '=', row.job_id)
    .where('node', '=', row.node)
    .where('step', '=', row.step)
    .returning('id')
    .executeTakeFirst()
  await tx.insertInto('layers').values(row).execute()
  return before?.id
}

/** What these jobs put into the workspace and is still there. */
export async function layersOf(db: Db, jobs: readonly string[], now: string): Promise<LayerRow[]> {
  if (jobs.length === 0) return []
  return db
    .selectFrom('layers')
    .selectAll()
    .where('job_id', 'in', [...jobs])
    .where('expires_at', '>', now)
    .orderBy('node')
    .orderBy('step')
    .execute()
}

/** Which of these jobs put something into the workspace, whether or not it is still there, and by how many steps. */
export async function persistedBy(
  db: Db,
  jobs: readonly string[],
): Promise<readonly { readonly id: string; readonly steps: number }[]> {
  if (jobs.length === 0) return []
  const rows = await db
    .selectFrom('steps')
    .select(({ fn }) => ['job_id as id', fn.countAll().as('steps')])
    .where('job_id', 'in', [...jobs])
    .where('type', '=', 'persist_to_workspace')
    .where('status', '=', 'success')
    .groupBy('job_id')
    .execute()
  return rows.map(({ id, steps }) => ({ id, steps: Number(steps) }))
}

export const layerById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('layers').selectAll().where('id', '=', id),
)
