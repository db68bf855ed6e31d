import type { Provider } from '#core/names.ts'
import type { App } from '#server/app/app.ts'
import { deliverStatus, takeDueStatuses } from '#server/app/commit-statuses.ts'
import type { Loop } from './loop.ts'

const together = 4

/** Tells one provider how commits stand, a few at a time. Each has a loop of its own: one that is down holds up no other. */
export function statusLoop({ world }: App, provider: Provider): Loop & AsyncDisposable {
  const underway = new Set<Promise<void>>()
  return {
    name: `statuses of ${provider}`,
    topics: ['statuses'],
    everyMs: 5_000,
    async turn(signal) {
      const free = together - underway.size
      const due = free > 0 ? await takeDueStatuses(world, provider, free) : []
      for (const row of due) {
        const sending = deliverStatus(world, row, signal)
          .catch((error: unknown) =>
            world.log.error('Cannot note a commit status', { project: row.project_id, error: String(error) }),
          )
          .finally(() => underway.delete(sending))
        underway.add(sending)
      }
      if (underway.size >= together) await Promise.race(underway)
      return due.length > 0
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(underway)
    },
  }
}
