import { type Selectable, sql } from 'kysely'
import { givenRows, literal } from './dialect.ts'
import { type DueAt, isBehind } from './progress.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type DeliveryRow = Selectable<Schema['deliveries']>
export type AttemptRow = Selectable<Schema['delivery_attempts']>

const insert = statement((db, row: DeliveryRow) =>
  db
    .insertInto('deliveries')
    .values({
      id: row.id,
      webhook_id: row.webhook_id,
      event_id: row.event_id,
      event_type: row.event_type,
      body: row.body,
      state: row.state,
      attempts: row.attempts,
      next_at: row.next_at,
      status_code: row.status_code,
      error: row.error,
      created_at: row.created_at,
      finished_at: row.finished_at,
    })
    .onConflict((conflict) => conflict.doNothing()),
)

/** The same event for the same webhook is kept once, however often the dispatcher was interrupted. */
export async function insertDeliveries(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  for (const row of rows) await insert(tx, row)
}

/** What is due for a webhook, in the order in which it is to be sent. */
export const dueDeliveries = statement((db, at: DueAt & { webhook: string }) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'event_type', 'body', 'attempts', 'next_at'])
    .where('webhook_id', '=', at.webhook)
    .where('state', '=', literal('pending'))
    .where('next_at', '<=', at.now)
    .where(isBehind(at))
    .orderBy('next_at')
    .orderBy('id')
    .limit(at.most),
)

/** When the next delivery of a webhook is due. */
export const nextDelivery = statementForOne((db, { webhook }: { webhook: string }) =>
  db
    .selectFrom('deliveries')
    .select('next_at')
    .where('webhook_id', '=', webhook)
    .where('state', '=', literal('pending'))
    .orderBy('next_at')
    .limit(1),
)

/** In which attempts differ as a rule; in the rest most are alike. */
const ownColumns = { id: 'text', delivery_id: 'text', at: 'text', took_ms: 'integer' } as const

type Alike = Omit<AttemptRow, keyof typeof ownColumns>

const insertAlike = statement((db, { rows, url, status_code, error, answer }: Alike & { rows: string }) => ({
  compile: () =>
    sql`insert into delivery_attempts (id, delivery_id, at, took_ms, url, status_code, error, answer)
      select id, delivery_id, at, took_ms, cast(${url} as text), cast(${status_code} as integer), cast(${error} as text), cast(${answer} as text)
      from ${givenRows(db, rows, ownColumns)}
      where exists (select 1 from deliveries where deliveries.id = given.delivery_id)`.compile(db),
}))

/** Keeps what came of attempts. A delivery that is gone, with its webhook, has none. */
export async function insertAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  // As JSON, so that no answer and the answer "null" are two things.
  const groups = Map.groupBy(rows, ({ url, status_code, error, answer }) =>
    JSON.stringify([url, status_code, error, answer]),
  )
  for (const [first, ...others] of groups.values()) {
    if (!first) continue
    const { url, status_code, error, answer } = first
    const own = [first, ...others].map(({ id, delivery_id, at, took_ms }) => [id, delivery_id, at, took_ms])
    await insertAlike(tx, { url, status_code, error, answer, rows: JSON.stringify(own) })
  }
}

export const deliveryById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('deliveries').selectAll().where('id', '=', id),
)

/** The deliveries of a webhook, newest first, from below an id. */
export function deliveriesOf(
  db: Db,
  webhook: string,
  filter: { readonly below?: string | undefined; readonly state?: string | undefined },
  most: number,
): Promise<Omit<DeliveryRow, 'body'>[]> {
  let query = db
    .selectFrom('deliveries')
    .select(['id', 'webhook_id', 'event_id', 'event_type', 'state', 'attempts', 'next_at'])
    .select(['status_code', 'error', 'created_at', 'finished_at'])
    .where('webhook_id', '=', webhook)
  if (filter.state !== undefined) query = query.where('state', '=', filter.state)
  if (filter.below !== undefined) query = query.where('id', '<', filter.below)
  return query.orderBy('id', 'desc').limit(most).execute()
}

/** The attempts at a delivery, oldest first. */
export const attemptsOf = statement((db, at: { delivery: string; most: number }) =>
  db.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', at.delivery).orderBy('id').limit(at.most),
)

/** Makes a delivery due now, with all its attempts before it again. */
export async function repeatDelivery(tx: Tx, id: string, now: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'pending', attempts: 0, next_at: now, finished_at: null })
    .where('id', '=', id)
    .execute()
}
