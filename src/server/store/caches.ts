import { type Selectable, sql } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type CacheRow = Selectable<Schema['caches']>

interface Wanted extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly key: string
  readonly now: string
}

/** The cache of exactly this key, unless its time is over. */
export const cacheByKey = statementForOne((db, at: Wanted) =>
  db
    .selectFrom('caches')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('key', '=', at.key)
    .where('expires_at', '>', at.now),
)

// Both databases count characters here, and compare them one by one: neither a pattern nor an order of words does that in both.
const begins = statementForOne((db, at: Wanted & { readonly length: number }) =>
  db
    .selectFrom('caches')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('expires_at', '>', at.now)
    .where(sql<boolean>`substr(key, 1, ${at.length}) = ${at.key}`)
    .orderBy('id', 'desc')
    .limit(1),
)

/** The newest cache whose key begins with this one, also over an older one of exactly this key. */
export const newestCache = (db: Db, at: Wanted): Promise<CacheRow | undefined> =>
  begins(db, { ...at, length: Array.from(at.key).length })

export const cacheById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('caches').selectAll().where('id', '=', id),
)

/** Keeps a cache, unless there is one of the same key; gives the one that then is there. What was over stands in nobody's way and is given back. */
export async function keepCache(
  tx: Tx,
  row: CacheRow,
): Promise<{ readonly kept: CacheRow; readonly gone: string | undefined }> {
  const over = await tx
    .deleteFrom('caches')
    .where('project_id', '=', row.project_id)
    .where('key', '=', row.key)
    .where('expires_at', '<=', row.created_at)
    .returning('id')
    .executeTakeFirst()
  await tx
    .insertInto('caches')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doNothing())
    .execute()
  const kept = await cacheByKey(tx, { project: row.project_id, key: row.key, now: row.created_at })
  if (!kept) throw new Error(`Cannot find the cache ${row.id} that was just kept`)
  return { kept, gone: over?.id }
}

const listed = statement((db, at: { project: string; now: string; below: string; most: number }) =>
  db
    .selectFrom('caches')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('expires_at', '>', at.now)
    .where('id', '<', at.below)
    .orderBy('id', 'desc')
    .limit(at.most),
)

/** The caches of a project, newest first, from below an id on. */
export const cachesOf = (db: Db, project: string, now: string, below: string | undefined, most: number) =>
  listed(db, { project, now, below: below ?? 'g', most })

/** Forgets some caches of a project whose key begins so, and says which. */
export async function deleteCaches(tx: Tx, project: string, prefix: string, most: number): Promise<readonly string[]> {
  const some = tx
    .selectFrom('caches')
    .select('id')
    .where('project_id', '=', project)
    .where(sql<boolean>`substr(key, 1, ${Array.from(prefix).length}) = ${prefix}`)
    .limit(most)
  return (await tx.deleteFrom('caches').where('id', 'in', some).returning('id').execute()).map(({ id }) => id)
}
