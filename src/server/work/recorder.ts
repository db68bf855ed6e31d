import { type Made, noteAttempts } from '#server/app/lanes.ts'
import type { World } from '#server/app/world.ts'

interface Waiting {
  readonly made: Made
  readonly done: () => void
}

/** Writes down attempts, many in one transaction: while one is underway, those that come gather for the next. */
export function recorder(world: World) {
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await noteAttempts(
          world,
          batch.map(({ made }) => made),
        )
      } catch (error) {
        // They are made again under the same ids.
        world.log.error('Cannot note deliveries', { count: batch.length, error: String(error) })
      }
      for (const { done } of batch) done()
    }
    writing = undefined
  }

  /** Resolves when the attempt was written down, or cannot be. */
  return (made: Made): Promise<void> =>
    new Promise((done) => {
      waiting.push({ made, done })
      writing ??= write()
    })
}
