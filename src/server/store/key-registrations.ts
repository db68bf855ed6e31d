import type { Selectable } from 'kysely'
import { literal, lockFree } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

export type KeyRegistrationRow = Selectable<Schema['key_registrations']>

/** What is wished of one key. */
export type KeyWish = Pick<
  KeyRegistrationRow,
  'project_id' | 'fingerprint' | 'provider' | 'kind' | 'user_id' | 'public_key' | 'wanted'
>

/** Keeps a wish; it takes the place of the one before. Where somebody has tried to grant it already, also what came of that. */
export async function putKeyWish(
  tx: Tx,
  wish: KeyWish,
  at: string,
  tried?: { readonly remoteId: string } | { readonly error: string },
): Promise<void> {
  const done = tried && 'remoteId' in tried ? tried : undefined
  const error = tried && 'error' in tried ? tried.error : null
  const standing = {
    user_id: wish.user_id,
    wanted: wish.wanted,
    state: done ? 'done' : error === null ? 'pending' : 'dead',
    attempts: error === null ? 0 : 1,
    next_at: at,
    error,
    updated_at: at,
    ...(done && { remote_id: done.remoteId }),
  }
  await tx
    .insertInto('key_registrations')
    .values({ ...wish, remote_id: null, version: 1, taken_until: null, ...standing })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'fingerprint'])
        .doUpdateSet((eb) => ({ ...standing, version: eb('key_registrations.version', '+', 1) })),
    )
    .execute()
}

/** The wishes of a project, granted or not. */
export const keyWishesOf = statement((db, { project }: { project: string }) =>
  db.selectFrom('key_registrations').selectAll().where('project_id', '=', project).orderBy('fingerprint'),
)

/** Makes a wish due at once, with the token of whoever asks for it where the project lends none; false where there is no such wish. */
export async function renewKeyWish(
  tx: Tx,
  of: { readonly project: string; readonly fingerprint: string; readonly by: string },
  at: string,
): Promise<boolean> {
  const row = await tx
    .updateTable('key_registrations')
    .where('project_id', '=', of.project)
    .where('fingerprint', '=', of.fingerprint)
    .set((eb) => ({
      state: 'pending',
      attempts: 0,
      next_at: at,
      error: null,
      updated_at: at,
      version: eb('version', '+', 1),
      user_id: eb.case().when('kind', '=', 'user').then(eb.ref('user_id')).else(of.by).end(),
    }))
    .returning('fingerprint')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes wishes that are due; each is this server's until `until`. */
export async function takeKeyWishes(tx: Tx, now: string, until: string, most: number): Promise<KeyRegistrationRow[]> {
  const due = await tx
    .selectFrom('key_registrations')
    .selectAll()
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

const keyed = (tx: Tx, { project_id, fingerprint }: KeyRegistrationRow) =>
  tx.updateTable('key_registrations').where('project_id', '=', project_id).where('fingerprint', '=', fingerprint)

/** Writes what came of an attempt; where there is a newer wish meanwhile, that only learns what the provider calls the key. */
export async function settleKeyWish(tx: Tx, row: KeyRegistrationRow, to: Partial<KeyRegistrationRow>): Promise<void> {
  await keyed(tx, row).where('version', '=', row.version).set(to).execute()
  const learnt = { taken_until: null, ...(to.remote_id !== undefined && { remote_id: to.remote_id }) }
  await keyed(tx, row).where('version', '!=', row.version).set(learnt).execute()
}

/** Forgets a key that the provider no longer has, unless it is wanted again. */
export async function forgetKeyWish(tx: Tx, { project_id, fingerprint, version }: KeyRegistrationRow): Promise<void> {
  await tx
    .deleteFrom('key_registrations')
    .where('project_id', '=', project_id)
    .where('fingerprint', '=', fingerprint)
    .where('version', '=', version)
    .execute()
}

/** Forgets who was asking for what: for a server that knows itself to be the only one. */
export async function releaseKeyWishes(tx: Tx): Promise<void> {
  await tx.updateTable('key_registrations').set({ taken_until: null }).where('state', '=', literal('pending')).execute()
}

/** Whether a provider lets the keys of a project in, by fingerprint. */
export const standingOf = async (db: Db, project: string): Promise<ReadonlyMap<string, KeyRegistrationRow>> =>
  new Map((await keyWishesOf(db, { project })).map((row) => [row.fingerprint, row]))
