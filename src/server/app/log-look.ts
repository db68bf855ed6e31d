import type { LogName } from '#server/store/log-ranges.ts'
import { readLog } from './read-log.ts'
import type { World } from './world.ts'

const stretch = 64 * 1024
/** A look that began farther back is not found; programs put their colours back much sooner. */
const farthest = 4 * stretch
/** A sequence that sets colours is never as long. */
const longest = 64
const mostTold = 32

// oxlint-disable-next-line no-control-regex
const colours = /\x1b\[([0-9;:]*)m/g

/** Everything back to how it was, whatever comes after it in the same sequence. */
const isReset = (numbers: string): boolean => /^0*([;:]|$)/.test(numbers)

/** What a terminal was told about colours before a byte of a log, from the last time that all were put back. */
export async function lookBefore(world: World, log: LogName, byte: number): Promise<string> {
  let told: readonly string[] = []
  for (let end = byte; end > 0 && byte - end < farthest && told.length < mostTold; end -= stretch) {
    const from = Math.max(0, end - stretch)
    const pieces = await Array.fromAsync(
      readLog(world, log.job, log.step, from, Math.min(byte, end + longest), log.node),
    )
    const found = [...Buffer.concat(pieces).toString('latin1').matchAll(colours)].filter(
      ({ index }) => index < end - from,
    )
    const reset = found.findLastIndex(([, numbers = '']) => isReset(numbers))
    told = [...found.slice(Math.max(0, reset)).map(([sequence]) => sequence), ...told]
    if (reset !== -1) break
  }
  return told.slice(-mostTold).join('')
}
