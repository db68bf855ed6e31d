import { pause } from '#kit/backoff.ts'
import type { App } from '#server/app/app.ts'
import { type HookBatch, processBatch, takeBatches } from '#server/app/process-hooks.ts'
import type { Loop } from './loop.ts'

const together = 4
/** Taken at once, and held at most while their repositories are busy. */
const [most, mostHeld] = [200, 1_000]
/** So long a repository that is told of without end may rest between two looks: what comes meanwhile costs one. */
const longestRestMs = 250

interface Line {
  /** What came while the repository was busy. */
  waiting: HookBatch | undefined
  work: Promise<void>
}

/**
 * Does what the hooks of providers ask for, a few repositories at a time; two batches of the same one never at once. However many
 * hooks come while a repository is looked at, the next look is for all of them.
 */
export function hookLoop(app: App): Loop & AsyncDisposable {
  const lines = new Map<string, Line>()
  const held = () => [...lines.values()].reduce((sum, { waiting }) => sum + (waiting?.hooks.length ?? 0), 0)

  async function serve(id: string, line: Line, signal: AbortSignal): Promise<void> {
    const hasMore = () => line.waiting !== undefined
    while (line.waiting) {
      const batch = line.waiting
      line.waiting = undefined
      const began = performance.now()
      try {
        await processBatch(app, batch, signal)
      } catch (error) {
        app.world.log.error('Cannot note hooks', { project: id, error: String(error) })
      }
      if (hasMore()) await pause(Math.min(performance.now() - began, longestRestMs), signal)
    }
    lines.delete(id)
  }

  function add(batch: HookBatch, signal: AbortSignal): void {
    const { id } = batch.project
    const line = lines.get(id)
    if (line) {
      line.waiting = { project: batch.project, hooks: [...(line.waiting?.hooks ?? []), ...batch.hooks] }
      return
    }
    const made: Line = { waiting: batch, work: Promise.resolve() }
    lines.set(id, made)
    made.work = serve(id, made, signal)
  }

  return {
    name: 'hooks',
    topics: ['hooks'],
    everyMs: 5_000,
    async turn(signal) {
      while (lines.size >= together || held() >= mostHeld) {
        await Promise.race([...lines.values()].map(({ work }) => work))
        if (signal.aborted) return false
      }
      const { taken, batches } = await takeBatches(app.world, most)
      for (const batch of batches) add(batch, signal)
      return taken > 0
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...lines.values()].map(({ work }) => work))
    },
  }
}
