import type { Db, Tx } from './schema.ts'

/** The tables whose rows name blobs: `caches/<id>`, `layers/<id>`, `artifacts/<id>`. */
export const storedKinds = ['caches', 'layers', 'artifacts'] as const

export type StoredKind = (typeof storedKinds)[number]

/** Deletes some rows whose time is over, and says which. */
export async function deleteOver(tx: Tx, kind: StoredKind, now: string, most: number): Promise<readonly string[]> {
  const over = tx.selectFrom(kind).select('id').where('expires_at', '<=', now).orderBy('expires_at').limit(most)
  return (await tx.deleteFrom(kind).where('id', 'in', over).returning('id').execute()).map(({ id }) => id)
}

/** Which of these ids have a row. */
export async function storedAmong(db: Db, kind: StoredKind, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom(kind)
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}
