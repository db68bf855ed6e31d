import { sql } from 'kysely'
import { textsIn } from './dialect.ts'
import type { Progress } from './outgoing-schema.ts'
import type { Tx } from './schema.ts'
import { statement } from './statement.ts'

/** The tables of things that are on their way. */
export type Outbox = 'deliveries' | 'notices' | 'messages'

/** How one thing stands after an attempt. */
export interface Progressed {
  readonly id: string
  readonly to: Readonly<Progress>
}

/** A place in the order in which things are sent. */
export interface Place {
  readonly next_at: string
  readonly id: string
}

/** What is asked of things that are due: those behind a place, up to now. */
export type DueAt = {
  readonly now: string
  readonly most: number
  readonly afterAt: string
  readonly afterId: string
}

/** Whether a row is sent after a place. */
export const isBehind = ({ afterAt, afterId }: DueAt) => sql<boolean>`(next_at, id) > (${afterAt}, ${afterId})`

interface Alike extends Progress {
  readonly ids: string
}

const progressIn = (table: Outbox) =>
  statement((db, to: Alike & Record<string, unknown>) => ({
    compile: () =>
      sql`update ${sql.table(table)} set state = ${to.state}, attempts = ${to.attempts}, next_at = ${to.next_at},
        status_code = ${to.status_code}, error = ${to.error}, finished_at = ${to.finished_at}
        where id in ${textsIn(db, to.ids)}`.compile(db),
  }))

const progress = {
  deliveries: progressIn('deliveries'),
  notices: progressIn('notices'),
  messages: progressIn('messages'),
} as const satisfies Record<Outbox, unknown>

/** Writes down how things stand, all that stand alike in one statement: most were simply delivered. */
export async function writeProgress(tx: Tx, table: Outbox, all: readonly Progressed[]): Promise<void> {
  const alike = Map.groupBy(all, ({ to }) => JSON.stringify(to))
  for (const group of alike.values()) {
    const [first] = group
    if (first) await progress[table](tx, { ...first.to, ids: JSON.stringify(group.map(({ id }) => id)) })
  }
}

/** Removes things that came to their end before an instant, some at a time; says how many. */
export async function deleteFinished(tx: Tx, table: Outbox, before: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id in
    (select id from ${sql.table(table)} where finished_at is not null and finished_at < ${before} order by finished_at limit ${most})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
