import type { LogName } from '#server/store/log-ranges.ts'
import { logPath } from './log-keys.ts'
import { readLog } from './read-log.ts'
import { remember } from './remember.ts'
import type { World } from './world.ts'

/** Lines are counted in stretches of this many bytes, which are also the frames of a packed log. */
export const stretchBytes = 64 * 1024

/** The blob that tells how many lines end in each frame of a packed log that is large. */
export const lineCountsKey = (log: LogName): string => `logs/${logPath(log)}.lines`

const lineEnd = 10

/** What is counted while somebody waits for the end of a log. */
const soonCounted = 4 * 2 ** 20
const keptEvery = 1024

/** How many lines end in these bytes. */
export function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) count++
  return count
}

/** What is known of the lines of one log. */
export interface Counted {
  /** How many lines end in each whole stretch. */
  readonly stretches: readonly number[]
  /** How many end behind the last of these. */
  readonly rest: number
}

/**
 * Counts the lines of logs. A packed log brings its counts along; of one that is still written only what came since
 * the last time is read.
 */
export function lineCounts(world: World) {
  const known = remember<string, readonly number[]>(100)

  async function packed(log: LogName): Promise<readonly number[] | undefined> {
    const blob = await world.blobs.get(lineCountsKey(log))
    if (!blob) return undefined
    const bytes = Buffer.concat(await Array.fromAsync(blob as AsyncIterable<Buffer>))
    return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32LE(at * 4))
  }

  const keep = (key: string, before: readonly number[], now: readonly number[]) => {
    if (now.length > before.length || !known.get(key)) known.set(key, now)
  }

  /** The counts of the first `size` bytes of a log. */
  async function countsOf(log: LogName, size: number): Promise<Counted> {
    const key = logPath(log)
    const whole = Math.floor(size / stretchBytes)
    const before = known.get(key) ?? (whole > 0 ? await packed(log) : undefined) ?? []
    const stretches = before.slice(0, whole)
    const from = stretches.length * stretchBytes
    // The last frame of a packed log, which is not whole, was counted as well.
    const left = before.length === whole + 1 ? before[whole] : undefined
    if (stretches.length === whole && left !== undefined) {
      keep(key, [], before)
      return { stretches, rest: left }
    }
    let rest = 0
    let at = from
    for await (const bytes of readLog(world, log.job, log.step, from, size, log.node)) {
      let done = 0
      while (done < bytes.length) {
        const part = bytes.subarray(done, done + stretchBytes - (at % stretchBytes))
        rest += countLines(part)
        at += part.length
        done += part.length
        if (at % stretchBytes === 0) {
          stretches.push(rest)
          rest = 0
          // Whoever asks meanwhile, or after somebody who did not wait, begins here.
          if (stretches.length % keptEvery === 0) keep(key, known.get(key) ?? [], [...stretches])
        }
      }
    }
    keep(key, before, stretches)
    return { stretches, rest }
  }

  /** Whether the counts of a log that is not packed yet can be had without reading much of it. */
  const isNear = (log: LogName, size: number): boolean =>
    size - (known.get(logPath(log))?.length ?? 0) * stretchBytes <= soonCounted

  return { of: countsOf, isNear }
}
