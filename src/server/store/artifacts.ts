import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ArtifactRow = Selectable<Schema['artifacts']>

/** Keeps an artifact; gives the id of the one of the same path that it replaces. */
export async function keepArtifact(tx: Tx, row: ArtifactRow): Promise<string | undefined> {
  const before = await tx
    .deleteFrom('artifacts')
    .where('job_id', '=', row.job_id)
    .where('node', '=', row.node)
    .where('path', '=', row.path)
    .returning('id')
    .executeTakeFirst()
  await tx.insertInto('artifacts').values(row).execute()
  return before?.id
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
