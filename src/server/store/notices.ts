import type { Selectable } from 'kysely'
import { literal } from './dialect.ts'
import { type DueAt, isBehind } from './progress.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type NoticeRow = Selectable<Schema['notices']>

const byPipeline = statementForOne((db, { pipeline }: { pipeline: string }) =>
  db.selectFrom('notified').select('urls').where('pipeline_id', '=', pipeline),
)

/** The addresses that get every ended build of a pipeline. */
export async function notifiedBy(db: Db, pipeline: string): Promise<readonly string[]> {
  const row = await byPipeline(db, { pipeline })
  return row ? (JSON.parse(row.urls) as string[]) : []
}

/** Keeps them; a pipeline that is continued has those of its second configuration. */
export async function keepNotified(tx: Tx, pipeline: string, urls: readonly string[]): Promise<void> {
  const row = { pipeline_id: pipeline, urls: JSON.stringify(urls) }
  await tx
    .insertInto('notified')
    .values(row)
    .onConflict((conflict) => conflict.column('pipeline_id').doUpdateSet({ urls: row.urls }))
    .execute()
}

/** The same build for the same address is kept once, however often the dispatcher was interrupted. */
export async function insertNotice(tx: Tx, row: NoticeRow): Promise<void> {
  await tx
    .insertInto('notices')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What is due for an address, in the order in which it is to be sent. */
export const dueNotices = statement((db, at: DueAt & { url: string }) =>
  db
    .selectFrom('notices')
    .selectAll()
    .where('url', '=', at.url)
    .where('state', '=', literal('pending'))
    .where('next_at', '<=', at.now)
    .where(isBehind(at))
    .orderBy('next_at')
    .orderBy('id')
    .limit(at.most),
)

/** When the next notice for an address is due. */
export const nextNotice = statementForOne((db, { url }: { url: string }) =>
  db
    .selectFrom('notices')
    .select('next_at')
    .where('url', '=', url)
    .where('state', '=', literal('pending'))
    .orderBy('next_at')
    .limit(1),
)
