import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'

export type OpenPushRow = Selectable<Schema['open_pushes']>

export async function insertOpenPush(tx: Tx, row: OpenPushRow): Promise<void> {
  await tx.insertInto('open_pushes').values(row).execute()
}

export async function deleteOpenPush(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('open_pushes').where('id', '=', id).execute()
}

/** Pushes that git may be busy with. */
export const openPushes = (db: Db): Promise<OpenPushRow[]> =>
  db.selectFrom('open_pushes').selectAll().where('pipelines', 'is', null).orderBy('id').execute()

/** Notes which pipelines a push has made, of which its sender waits to hear. */
export async function notePipelines(tx: Tx, id: string, pipelines: readonly string[]): Promise<void> {
  await tx
    .updateTable('open_pushes')
    .set({ pipelines: JSON.stringify(pipelines) })
    .where('id', '=', id)
    .execute()
}

/** Pushes of somebody to a project whose senders wait to hear how their pipelines end. */
export const waitingPushes = (db: Db, project: string, actor: string): Promise<OpenPushRow[]> =>
  db
    .selectFrom('open_pushes')
    .selectAll()
    .where('project_id', '=', project)
    .where('actor_id', '=', actor)
    .where('pipelines', 'is not', null)
    .orderBy('id')
    .execute()

/** Forgets senders who have waited since before a time: they will not ask any more. */
export async function forgetWaiting(tx: Tx, before: string): Promise<void> {
  await tx.deleteFrom('open_pushes').where('pipelines', 'is not', null).where('since', '<', before).execute()
}
