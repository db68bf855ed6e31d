import { pendingDeliveryCount, undispatchedCount } from '#server/store/counts.ts'
import { traceCount } from '#server/store/traces.ts'
import { leaseCount } from '#server/store/leases.ts'
import { queuedByClass, queueLength } from '#server/store/queue.ts'
import { completionsOf } from './completions.ts'
import type { App } from './app.ts'

/** How much; or of each, by the value of a label. */
export type Gauge = number | { readonly label: string; readonly values: ReadonlyMap<string, number> }

/** By name: what it is, and how much. */
export type Gauges = Readonly<Record<string, readonly [help: string, value: Gauge]>>

/** How the service is doing, read from the tables. */
export async function gauges({ world }: App): Promise<Gauges> {
  const { db } = world
  const { workflows, jobs } = completionsOf(world)
  const queued = await queuedByClass(db, {})
  const now = Date.parse(world.now())
  return {
    roundhouse_workflows_completed_total: [
      'Workflows that ended since the start, by status',
      { label: 'status', values: workflows },
    ],
    roundhouse_jobs_completed_total: [
      'Builds that ended since the start, by status',
      { label: 'status', values: jobs },
    ],
    roundhouse_jobs_queued_by_class: [
      'Jobs that wait for an agent, by resource class',
      { label: 'resource_class', values: new Map(queued.map((row) => [row.resource_class, Number(row.waiting)])) },
    ],
    roundhouse_queue_oldest_seconds: [
      'How long the first job in line has waited, by resource class',
      {
        label: 'resource_class',
        values: new Map(queued.map((row) => [row.resource_class, secondsSince(row.oldest, now)])),
      },
    ],
    roundhouse_traces_pending: ['Workflows that a collector of traces was not told of yet', await traceCount(db)],
    roundhouse_jobs_queued: ['Jobs that wait for an agent', await queueLength(db)],
    roundhouse_jobs_running: ['Jobs that agents hold', await leaseCount(db)],
    roundhouse_events_undispatched: ['Events not yet turned into deliveries', await undispatchedCount(db)],
    roundhouse_deliveries_pending: ['Webhook deliveries that wait', await pendingDeliveryCount(db)],
  }
}

/** A place in the queue begins with the instant in which it was taken. */
const secondsSince = (place: string, now: number): number =>
  Math.max(0, (now - Date.parse(place.slice(0, place.indexOf('#')))) / 1000) || 0
