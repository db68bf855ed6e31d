import type { LogLines } from '#contract/rh/log.ts'
import { drawLine } from './ansi.ts'
import { lineTimes } from './line-times.ts'
import { emptyLog, type Line, type Log } from './lines.ts'
import { plain } from './look.ts'

/** The lines that the service answered, drawn, as a log that begins with them. */
export function drawn({
  first,
  lines: raw,
  look: told,
  times,
}: Pick<LogLines, 'first' | 'lines' | 'look' | 'times'>): Log {
  const timeOf = lineTimes(times)
  let look = drawLine(told, plain).after
  const lines: Line[] = []
  for (const [index, text] of raw.entries()) {
    const { spans, after } = drawLine(text, look)
    lines.push({ spans, at: timeOf(first + index) })
    look = after
  }
  return { ...emptyLog, lines, dropped: first - 1, look }
}
