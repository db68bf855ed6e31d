import { literal } from './dialect.ts'
import type { Db } from './schema.ts'

const number = (row: { readonly count: number | string | bigint }): number => Number(row.count)

/** Events not yet turned into deliveries. */
export const undispatchedCount = async (db: Db): Promise<number> =>
  number(
    await db
      .selectFrom('events')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('dispatched_at', 'is', null)
      .executeTakeFirstOrThrow(),
  )

/** Deliveries that wait to be sent. */
export const pendingDeliveryCount = async (db: Db): Promise<number> =>
  number(
    await db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', literal('pending'))
      .executeTakeFirstOrThrow(),
  )
