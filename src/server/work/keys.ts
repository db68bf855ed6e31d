import type { App } from '#server/app/app.ts'
import { grantKey, takeDueKeys } from '#server/app/key-registrations.ts'
import { removeUnwantedKey, takeDueUnwantedKeys } from '#server/app/unwanted-keys.ts'
import type { Loop } from './loop.ts'

/** Registers keys of ours at providers and takes them away, a few at a time, each to its end. */
export function keyLoop({ world }: App): Loop {
  return {
    name: 'keys',
    topics: ['keys'],
    everyMs: 10_000,
    async turn(signal) {
      const due = await takeDueKeys(world, 4)
      const left = await takeDueUnwantedKeys(world, 4)
      const asked = await Promise.allSettled([
        ...due.map((row) => grantKey(world, row, signal)),
        ...left.map((row) => removeUnwantedKey(world, row, signal)),
      ])
      for (const one of asked)
        if (one.status === 'rejected') world.log.error('Cannot note a key', { error: String(one.reason) })
      return due.length + left.length > 0
    },
  }
}
