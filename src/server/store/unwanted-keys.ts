import type { Selectable } from 'kysely'
import { lockFree } from './dialect.ts'
import type { Schema, Tx } from './schema.ts'

/** The token is sealed: this room never sees it. */
export type UnwantedKeyRow = Selectable<Schema['unwanted_keys']>

export async function insertUnwantedKey(tx: Tx, row: UnwantedKeyRow): Promise<void> {
  await tx.insertInto('unwanted_keys').values(row).execute()
}

/** Takes keys that are due to be removed; each is this server's until `until`. */
export async function takeUnwantedKeys(tx: Tx, now: string, until: string, most: number): Promise<UnwantedKeyRow[]> {
  const due = await tx
    .selectFrom('unwanted_keys')
    .selectAll()
    .where('next_at', '<=', now)
    .where((eb) => eb.or([eb('taken_until', 'is', null), eb('taken_until', '<=', now)]))
    .orderBy('next_at')
    .limit(most)
    .$call(lockFree(tx))
    .execute()
  for (const { id } of due)
    await tx.updateTable('unwanted_keys').set({ taken_until: until }).where('id', '=', id).execute()
  return due
}

/** Puts a key off that could not be removed. */
export async function putOffUnwantedKey(tx: Tx, id: string, attempts: number, at: string): Promise<void> {
  await tx.updateTable('unwanted_keys').set({ attempts, next_at: at, taken_until: null }).where('id', '=', id).execute()
}

export async function deleteUnwantedKey(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('unwanted_keys').where('id', '=', id).execute()
}

/** Forgets who was removing what: for a server that knows itself to be the only one. */
export async function releaseUnwantedKeys(tx: Tx): Promise<void> {
  await tx.updateTable('unwanted_keys').set({ taken_until: null }).execute()
}
