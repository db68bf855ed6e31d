import type { LogLines } from '#contract/rh/log.ts'
import { lookAfter } from './ansi.ts'
import { lineTimes } from './line-times.ts'
import { emptyLog, type Line, type Log } from './lines.ts'
import { plain } from './look.ts'

/** The lines that the service answered, as a log that begins with them. */
export function logOf({
  first,
  start,
  lines: raw,
  look: told,
  times,
}: Pick<LogLines, 'first' | 'start' | 'lines' | 'look' | 'times'>): Log {
  const timeOf = lineTimes(times)
  let look = lookAfter(told, plain)
  const lines: Line[] = []
  for (const [index, text] of raw.entries()) {
    lines.push({ text, look, at: timeOf((first ?? 1) + index) })
    look = lookAfter(text, look)
  }
  return { ...emptyLog, lines, dropped: (first ?? 1) - 1, uncounted: first === null ? start : undefined, look }
}
