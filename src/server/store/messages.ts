import type { Selectable } from 'kysely'
import { literal } from './dialect.ts'
import { type DueAt, isBehind } from './progress.ts'
import type { Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type MessageRow = Selectable<Schema['messages']>

/** What somebody is told of one event is kept once, however often the dispatcher was interrupted. */
export async function insertMessages(tx: Tx, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('messages')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What is due for a user or a chat, in the order in which it is to be sent. */
export const dueMessages = statement((db, at: DueAt & { kind: string; subject: string }) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('kind', '=', at.kind)
    .where('subject', '=', at.subject)
    .where('state', '=', literal('pending'))
    .where('next_at', '<=', at.now)
    .where(isBehind(at))
    .orderBy('next_at')
    .orderBy('id')
    .limit(at.most),
)

/** When the next message for a user or a chat is due. */
export const nextMessage = statementForOne((db, at: { kind: string; subject: string }) =>
  db
    .selectFrom('messages')
    .select('next_at')
    .where('kind', '=', at.kind)
    .where('subject', '=', at.subject)
    .where('state', '=', literal('pending'))
    .orderBy('next_at')
    .limit(1),
)
