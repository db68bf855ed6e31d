import type { Selectable } from 'kysely'
import { literal, lockFree } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type CommitStatusRow = Selectable<Schema['commit_statuses']>

/** What is to be told. */
export type NewStatus = Pick<
  CommitStatusRow,
  'project_id' | 'revision' | 'context' | 'provider' | 'status' | 'description' | 'url'
>

/** Keeps what a provider is to be told of a commit. A newer word in the same context takes the place of the one before. */
export async function putStatus(tx: Tx, told: NewStatus, at: string): Promise<void> {
  const { status, description, url } = told
  await tx
    .insertInto('commit_statuses')
    .values({
      ...told,
      version: 1,
      state: 'pending',
      attempts: 0,
      next_at: at,
      taken_until: null,
      status_code: null,
      error: null,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'revision', 'context']).doUpdateSet((eb) => ({
        status,
        description,
        url,
        version: eb('commit_statuses.version', '+', 1),
        state: 'pending',
        attempts: 0,
        next_at: at,
        updated_at: at,
      })),
    )
    .execute()
}

/** Takes what is due for a provider; each is this server's until `until`. */
export async function takeStatuses(
  tx: Tx,
  provider: string,
  now: string,
  until: string,
  most: number,
): Promise<CommitStatusRow[]> {
  const due = await tx
    .selectFrom('commit_statuses')
    .selectAll()
    .where('provider', '=', provider)
    .where('state', '=', literal('pending'))
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('taken_until', 'is', null), eb('taken_until', '<=', now)]))
    .orderBy('next_at')
    .limit(most)
    .$call(lockFree(tx))
    .execute()
  for (const row of due) await keyed(tx, row).set({ taken_until: until }).execute()
  return due
}

const keyed = (tx: Tx, { project_id, revision, context }: CommitStatusRow) =>
  tx
    .updateTable('commit_statuses')
    .where('project_id', '=', project_id)
    .where('revision', '=', revision)
    .where('context', '=', context)

/** Writes what came of an attempt; where a newer word came meanwhile, that is only free to be sent. */
export async function settleStatus(tx: Tx, row: CommitStatusRow, to: Partial<CommitStatusRow>): Promise<void> {
  await keyed(tx, row).where('version', '=', row.version).set(to).execute()
  await keyed(tx, row).where('version', '!=', row.version).set({ taken_until: null }).execute()
}

/** Forgets who was sending what: for a server that knows itself to be the only one. */
export async function releaseStatuses(tx: Tx): Promise<void> {
  await tx.updateTable('commit_statuses').set({ taken_until: null }).where('state', '=', literal('pending')).execute()
}

/** What a provider was or is to be told of a commit. */
export const statusesOfRevision = (db: Db, project: string, revision: string): Promise<CommitStatusRow[]> =>
  db
    .selectFrom('commit_statuses')
    .selectAll()
    .where('project_id', '=', project)
    .where('revision', '=', revision)
    .orderBy('context')
    .execute()

export const connectionOf = statementForOne((db, { project }: { project: string }) =>
  db.selectFrom('connections').selectAll().where('project_id', '=', project),
)

/** Keeps the token of a project, sealed. */
export async function putConnection(tx: Tx, project: string, token: string, at: string): Promise<void> {
  await tx
    .insertInto('connections')
    .values({ project_id: project, token, updated_at: at })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ token, updated_at: at }))
    .execute()
}

export async function deleteConnection(tx: Tx, project: string): Promise<void> {
  await tx.deleteFrom('connections').where('project_id', '=', project).execute()
}
