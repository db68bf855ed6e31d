import { blobsAmong, freedBlobs } from './artifacts.ts'
import type { Db, Tx } from './schema.ts'

/** The tables whose rows name blobs: `caches/<id>`, `layers/<id>`, `artifacts/<id>` or one that several share. */
export const storedKinds = ['caches', 'layers', 'artifacts'] as const

export type StoredKind = (typeof storedKinds)[number]

/** Deletes some rows whose time is over, and says how many there were and which blobs nothing names any more. */
export async function deleteOver(
  tx: Tx,
  kind: StoredKind,
  now: string,
  most: number,
): Promise<{ readonly rows: number; readonly blobs: readonly string[] }> {
  const over = tx.selectFrom(kind).select('id').where('expires_at', '<=', now).orderBy('expires_at').limit(most)
  if (kind === 'artifacts') {
    const gone = await tx.deleteFrom('artifacts').where('id', 'in', over).returning(['id', 'blob']).execute()
    return { rows: gone.length, blobs: await freedBlobs(tx, gone) }
  }
  const gone = await tx.deleteFrom(kind).where('id', 'in', over).returning('id').execute()
  return { rows: gone.length, blobs: gone.map(({ id }) => id) }
}

/** Which of these blobs a row names. */
export async function storedAmong(db: Db, kind: StoredKind, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom(kind)
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  const shared = kind === 'artifacts' ? await blobsAmong(db, ids) : []
  return new Set([...rows.map(({ id }) => id), ...shared])
}
