import type { App } from '#server/app/app.ts'
import { processBatch, takeBatches } from '#server/app/process-hooks.ts'
import type { Loop } from './loop.ts'

const together = 4
/** Taken at once, so that many pushes to one repository cost one fetch. */
const most = 200

/** Does what the hooks of providers ask for, a few repositories at a time; two batches of the same one never at once. */
export function hookLoop(app: App): Loop & AsyncDisposable {
  const underway = new Map<string, Promise<void>>()
  return {
    name: 'hooks',
    topics: ['hooks'],
    everyMs: 5_000,
    async turn(signal) {
      if (underway.size >= together) await Promise.race(underway.values())
      const { taken, batches } = await takeBatches(app.world, most)
      for (const batch of batches) {
        const { id } = batch.project
        const before = underway.get(id) ?? Promise.resolve()
        const work = before
          .then(() => processBatch(app, batch, signal))
          .catch((error: unknown) => app.world.log.error('Cannot note hooks', { project: id, error: String(error) }))
          .finally(() => {
            if (underway.get(id) === work) underway.delete(id)
          })
        underway.set(id, work)
      }
      return taken > 0
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(underway.values())
    },
  }
}
