import { pause } from '#kit/backoff.ts'
import type { Bell } from '#server/app/bell.ts'
import type { Log } from '#server/app/world.ts'

/** One thing that is done again and again. */
export interface Loop {
  readonly name: string
  /** Whoever rings one of these has work for it. */
  readonly topics: readonly string[]
  /** How long it sleeps at most: a ring may be lost. */
  readonly everyMs: number
  /** Does what there is to do; true when there may be more at once. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>
}

/** Runs a loop until it is told to stop. A turn that fails is told to the log, and the next one comes after a while: nothing stops for good. */
export async function runLoop(bell: Bell, log: Log, loop: Loop, signal: AbortSignal): Promise<void> {
  let rung = true
  let wake = () => {}
  const quiet = loop.topics.map((topic) =>
    bell.listen(topic, () => {
      rung = true
      wake()
    }),
  )
  try {
    while (!signal.aborted) {
      rung = false
      try {
        if (await loop.turn(signal)) continue
      } catch (error) {
        log.error('A loop failed', { loop: loop.name, error: error instanceof Error ? error.stack : String(error) })
        await pause(1_000, signal)
      }
      if (rung || signal.aborted) continue
      const woken = new AbortController()
      wake = () => woken.abort()
      await pause(loop.everyMs, AbortSignal.any([signal, woken.signal]))
      wake = () => {}
    }
  } finally {
    for (const stop of quiet) stop()
  }
}
