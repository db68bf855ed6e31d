import { type Made, noteAttempts } from '#server/app/lanes.ts'
import type { World } from '#server/app/world.ts'

interface Waiting {
  readonly made: readonly Made[]
  readonly done: (isNoted: boolean) => void
}

/** So many attempts are written down at once, and none waits longer than this for others: after a crash it would be made again. */
const [together, lingerMs] = [512, 60]

/** Writes down attempts, many in one transaction: a transaction for each would cost as much as the request. */
export function recorder(world: World) {
  let waiting: Waiting[] = []
  let count = 0
  let isWriting = false
  let isAsked = false
  let timer: NodeJS.Timeout | undefined

  /** Begins to write, or does so as soon as what is being written is on disk. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    isAsked = true
    if (!isWriting) void write()
  }

  async function write(): Promise<void> {
    isWriting = true
    while (isAsked) {
      isAsked = false
      const batch = waiting
      waiting = []
      count = 0
      if (batch.length > 0) await noteAll(batch)
    }
    isWriting = false
  }

  async function noteAll(batch: readonly Waiting[]): Promise<void> {
    const all = batch.flatMap(({ made }) => made)
    const isNoted = await noteAttempts(world, all).then(
      () => true,
      (error: unknown) => {
        world.log.error('Cannot note deliveries', { count: all.length, error: String(error) })
        return false
      },
    )
    for (const { done } of batch) done(isNoted)
  }

  return {
    /** Resolves when the attempts were written down; false where they cannot be, and will be made again under the same ids. */
    note: (made: readonly Made[]): Promise<boolean> =>
      new Promise((done) => {
        waiting.push({ made, done })
        count += made.length
        if (count >= together) flush()
        else timer ??= setTimeout(flush, lingerMs)
      }),
    /** Waits no longer for others. */
    flush,
  }
}
