import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ArtifactRow = Selectable<Schema['artifacts']>
export type NewArtifact = Insertable<Schema['artifacts']>

/** Rows of one statement: databases have a limit of the values in one. */
const batch = 100

/** Keeps artifacts of one node, each of another path; gives the blobs that nothing names any more, as those of the same paths are replaced. */
export async function keepArtifacts(tx: Tx, rows: readonly NewArtifact[]): Promise<readonly string[]> {
  const before: { readonly id: string; readonly blob: string | null }[] = []
  for (let at = 0; at < rows.length; at += batch) {
    const some = rows.slice(at, at + batch)
    const [{ job_id, node } = { job_id: '', node: 0 }] = some
    const paths = some.map(({ path }) => path)
    const replaced = tx.deleteFrom('artifacts').where('job_id', '=', job_id).where('node', '=', node)
    before.push(...(await replaced.where('path', 'in', paths).returning(['id', 'blob']).execute()))
    await tx.insertInto('artifacts').values(some).execute()
  }
  return freedBlobs(tx, before)
}

/** The blobs of deleted artifacts that no other artifact lies in. */
export async function freedBlobs(
  tx: Tx,
  gone: readonly { readonly id: string; readonly blob: string | null }[],
): Promise<readonly string[]> {
  const shared = [...new Set(gone.flatMap(({ blob }) => blob ?? []))]
  const used = await blobsAmong(tx, shared)
  return [...gone.filter(({ blob }) => blob === null).map(({ id }) => id), ...shared.filter((blob) => !used.has(blob))]
}

/** Which of these blobs several artifacts may lie in. */
export async function blobsAmong(db: Db, blobs: readonly string[]): Promise<ReadonlySet<string>> {
  if (blobs.length === 0) return new Set()
  const rows = await db
    .selectFrom('artifacts')
    .select('blob')
    .distinct()
    .where('blob', 'in', [...blobs])
    .execute()
  return new Set(rows.flatMap(({ blob }) => blob ?? []))
}

const listed = statement((db, at: { job: string; now: string; above: string; most: number }) =>
  db
    .selectFrom('artifacts')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('expires_at', '>', at.now)
    .where('id', '>', at.above)
    .orderBy('id')
    .limit(at.most),
)

/** The artifacts of a job as they came, from above an id on. */
export const artifactsOf = (db: Db, job: string, now: string, above: string | undefined, most: number) =>
  listed(db, { job, now, above: above ?? '', most })

export const artifactAt = statementForOne((db, at: { job: string; node: number; path: string; now: string }) =>
  db
    .selectFrom('artifacts')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('path', '=', at.path)
    .where('expires_at', '>', at.now),
)
