import type { App } from '#server/app/app.ts'
import { noticesOf } from '#server/app/builds/notices.ts'
import { clearGone } from '#server/app/clear-gone.ts'
import { goneTopic } from '#server/app/delete-project.ts'
import { dispatchEvents } from '#server/app/dispatch.ts'
import { fireSchedules } from '#server/app/fire-schedules.ts'
import { clockWatch, reclaim } from '#server/app/leases.ts'
import { tidyPushes, watchPushes } from '#server/app/open-pushes.ts'
import { packSome, tidy } from '#server/app/pending.ts'
import { tidyHooks } from '#server/app/receive-hook.ts'
import { sweepOutgoing } from '#server/app/sweep-outgoing.ts'
import { sweepTests } from '#server/app/sweep-tests.ts'
import { sweepStored, sweepStrays } from '#server/app/sweep.ts'
import { messagesOf } from '#server/app/notify.ts'
import { moveLines } from '#server/app/serial-groups.ts'
import { cancelForgotten } from '#server/app/redundant.ts'
import { foldOldRuns } from '#server/app/insights/keep-days.ts'
import { packDays } from '#server/app/insights/pack-days.ts'
import { traceLoop } from './traces.ts'
import { deliveryLoop } from './deliver.ts'
import { hookLoop } from './hooks.ts'
import { keyLoop } from './keys.ts'
import { type Loop, runLoop } from './loop.ts'
import { pipelineLoop } from './pipelines.ts'
import { statusLoop } from './statuses.ts'
import { pollLoop } from './polls.ts'
import { tidyLoop } from './tidy-repositories.ts'

/** Everything the service does by itself. Any number of servers may do it at once. */
export function startWork(app: App): AsyncDisposable {
  const { world } = app
  const stop = new AbortController()
  const wasSet = clockWatch(world, () => performance.now())
  const deliveries = deliveryLoop(app)
  const polls = pollLoop(app)
  const hooks = hookLoop(app)
  const statuses = (['provider-a', 'provider-b', 'provider-c'] as const).map((code) => statusLoop(app, code))
  const loops: readonly Loop[] = [
    pipelineLoop(app),
    {
      name: 'events',
      topics: ['events'],
      everyMs: 2_000,
      turn: async () =>
        (await dispatchEvents(world, app.findRevision, {
          notices: (event) => noticesOf(app, event),
          messages: (event) => messagesOf(app, event),
        })) > 0,
    },
    deliveries,
    polls,
    hooks,
    ...statuses,
    keyLoop(app),
    { name: 'old hooks', topics: [], everyMs: 10 * 60_000, turn: () => tidyHooks(world) },
    tidyLoop(app),
    {
      name: 'leases',
      topics: [],
      everyMs: Math.min(5_000, world.terms.leaseMs / 4),
      turn: async () => !(await wasSet()) && (await reclaim(world)) > 0,
    },
    { name: 'pushes', topics: [], everyMs: 2_000, turn: () => watchPushes(app).then(() => false) },
    { name: 'old pushes', topics: [], everyMs: 3_600_000, turn: () => tidyPushes(app).then(() => false) },
    { name: 'schedules', topics: [], everyMs: 1_000, turn: () => fireSchedules(world) },
    { name: 'gone', topics: [goneTopic], everyMs: 60_000, turn: () => clearGone(world) },
    { name: 'serial', topics: ['serial'], everyMs: 5_000, turn: () => moveLines(world) },
    { name: 'logs', topics: [], everyMs: 1_000, turn: () => packSome(app) },
    { name: 'outgoing', topics: [], everyMs: 10 * 60_000, turn: () => sweepOutgoing(world) },
    { name: 'stored', topics: [], everyMs: 10 * 60_000, turn: () => sweepStored(world) },
    { name: 'tests', topics: [], everyMs: 10 * 60_000, turn: () => sweepTests(world) },
    { name: 'strays', topics: [], everyMs: 6 * 3_600_000, turn: () => sweepStrays(world).then(() => false) },
    traceLoop(app),
    {
      name: 'insights',
      topics: [],
      everyMs: 3_600_000,
      turn: async (signal) => {
        await foldOldRuns(world, signal)
        await packDays(world, signal)
        return false
      },
    },
    { name: 'forgotten', topics: [], everyMs: 600_000, turn: () => cancelForgotten(world) },
    { name: 'tidy', topics: [], everyMs: 60_000, turn: async () => tidy(app).then(() => false) },
  ]
  const running = loops.map((loop) => runLoop(world.bell, world.log, loop, stop.signal))
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.allSettled(running)
      await polls[Symbol.asyncDispose]()
      await hooks[Symbol.asyncDispose]()
      for (const loop of statuses) await loop[Symbol.asyncDispose]()
      await deliveries[Symbol.asyncDispose]()
    },
  }
}
