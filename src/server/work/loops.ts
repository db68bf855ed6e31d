import type { App } from '#server/app/app.ts'
import { dispatchEvents } from '#server/app/dispatch.ts'
import { reclaim } from '#server/app/leases.ts'
import { watchPushes } from '#server/app/open-pushes.ts'
import { packSome, tidy } from '#server/app/pending.ts'
import { sweepStored, sweepStrays } from '#server/app/sweep.ts'
import { deliveryLoop } from './deliver.ts'
import { type Loop, runLoop } from './loop.ts'
import { pipelineLoop } from './pipelines.ts'

/** Everything the service does by itself. Any number of servers may do it at once. */
export function startWork(app: App): AsyncDisposable {
  const { world } = app
  const stop = new AbortController()
  const deliveries = deliveryLoop(app)
  const loops: readonly Loop[] = [
    pipelineLoop(app),
    {
      name: 'events',
      topics: ['events'],
      everyMs: 2_000,
      turn: async () => (await dispatchEvents(world, app.findRevision)) > 0,
    },
    deliveries,
    {
      name: 'leases',
      topics: [],
      everyMs: Math.min(5_000, world.terms.leaseMs / 4),
      turn: async () => (await reclaim(world)) > 0,
    },
    { name: 'pushes', topics: [], everyMs: 2_000, turn: () => watchPushes(app).then(() => false) },
    { name: 'logs', topics: [], everyMs: 1_000, turn: () => packSome(app) },
    { name: 'stored', topics: [], everyMs: 10 * 60_000, turn: () => sweepStored(world) },
    { name: 'strays', topics: [], everyMs: 6 * 3_600_000, turn: () => sweepStrays(world).then(() => false) },
    { name: 'tidy', topics: [], everyMs: 60_000, turn: async () => tidy(app).then(() => false) },
  ]
  const running = loops.map((loop) => runLoop(world.bell, world.log, loop, stop.signal))
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.allSettled(running)
      await deliveries[Symbol.asyncDispose]()
    },
  }
}
