import type { App } from '#server/app/app.ts'
import { tidyRepositories } from '#server/app/repositories.ts'
import type { Loop } from './loop.ts'

const firstMs = 10 * 60_000
const everyMs = 6 * 3_600_000

/** Tidies repositories up now and then, one at a time; not in the first minutes, in which a server has other work. */
export function tidyLoop({ world }: App): Loop {
  let due = performance.now() + firstMs
  return {
    name: 'repositories',
    topics: [],
    everyMs: firstMs,
    async turn(signal) {
      if (performance.now() < due) return false
      await tidyRepositories(world, signal)
      due = performance.now() + everyMs
      return false
    },
  }
}
