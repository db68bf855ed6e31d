import type { App } from '#server/app/app.ts'
import { poll, takePolls } from '#server/app/polls.ts'
import type { Loop } from './loop.ts'

const together = 4

/** Looks at repositories that live elsewhere, a few at a time: one that is slow keeps nobody waiting but its neighbours. */
export function pollLoop(app: App): Loop & AsyncDisposable {
  const underway = new Set<Promise<void>>()
  return {
    name: 'polls',
    topics: ['polls'],
    everyMs: 1_000,
    async turn(signal) {
      const free = together - underway.size
      const taken = free > 0 ? await takePolls(app.world, free) : []
      for (const row of taken) {
        const looking = poll(app, row, signal)
          .catch((error: unknown) =>
            app.world.log.error('Cannot note a poll', { project: row.project_id, error: String(error) }),
          )
          .finally(() => underway.delete(looking))
        underway.add(looking)
      }
      if (underway.size >= together) await Promise.race(underway)
      return taken.length > 0
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(underway)
    },
  }
}
