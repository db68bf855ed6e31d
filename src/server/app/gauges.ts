import { pendingDeliveryCount, undispatchedCount } from '#server/store/counts.ts'
import { leaseCount } from '#server/store/leases.ts'
import { queueLength } from '#server/store/queue.ts'
import type { App } from './app.ts'

/** By name: what it is, and how much. */
export type Gauges = Readonly<Record<string, readonly [help: string, value: number]>>

/** How the service is doing, read from the tables. */
export async function gauges({ world: { db } }: App): Promise<Gauges> {
  return {
    roundhouse_jobs_queued: ['Jobs that wait for an agent', await queueLength(db)],
    roundhouse_jobs_running: ['Jobs that agents hold', await leaseCount(db)],
    roundhouse_events_undispatched: ['Events not yet turned into deliveries', await undispatchedCount(db)],
    roundhouse_deliveries_pending: ['Webhook deliveries that wait', await pendingDeliveryCount(db)],
  }
}
