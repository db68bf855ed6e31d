import { sql } from 'kysely'
import type { Progress } from './outgoing-schema.ts'
import type { Tx } from './schema.ts'

/** The tables of things that are on their way. */
export type Outbox = 'deliveries' | 'notices' | 'messages'

/** How one thing stands after an attempt. */
export interface Progressed {
  readonly id: string
  readonly to: Readonly<Progress>
}

/** Writes down how things stand, all that stand alike in one statement: most were simply delivered. */
export async function writeProgress(tx: Tx, table: Outbox, all: readonly Progressed[]): Promise<void> {
  const alike = new Map<string, { readonly to: Readonly<Progress>; readonly ids: string[] }>()
  for (const { id, to } of all) {
    const key = JSON.stringify(to)
    const group = alike.get(key) ?? { to, ids: [] }
    group.ids.push(id)
    alike.set(key, group)
  }
  for (const { to, ids } of alike.values()) {
    await sql`update ${sql.table(table)} set state = ${to.state}, attempts = ${to.attempts}, next_at = ${to.next_at},
      status_code = ${to.status_code}, error = ${to.error}, finished_at = ${to.finished_at}
      where id in (${sql.join(ids)})`.execute(tx)
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
