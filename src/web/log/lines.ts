import { drawLine, type Span } from './ansi.ts'
import { type Look, plain } from './look.ts'

/** One line, drawn. */
export type Line = readonly Span[]

/** As much of a log as the page keeps: whole lines, and the beginning of the one that is still being written. */
export interface Log {
  readonly lines: readonly Line[]
  /** How many lines before the first kept one were let go. */
  readonly dropped: number
  /** Raw text of the line that has no end yet, and the look it began with. */
  readonly open: string
  readonly look: Look
}

/** A log of which nothing has come yet. */
export const emptyLog: Log = { lines: [], dropped: 0, open: '', look: plain }

const mostLines = 20_000
// A line of a minified bundle costs more to draw than the reader gains from it.
const longestLine = 20_000

/** The log after some more text of it: the same, however the text was cut. */
export function grow(log: Log, text: string, most: number = mostLines): Log {
  const [head = '', ...rest] = text.split('\n')
  const raw = [log.open + head, ...rest]
  const open = clip(raw.pop()!)
  let look = log.look
  const lines = [...log.lines]
  for (const one of raw) {
    const drawn = drawLine(clip(withoutReturn(one)), look)
    lines.push(drawn.spans)
    look = drawn.after
  }
  const over = Math.max(0, lines.length - most)
  return { lines: over > 0 ? lines.slice(over) : lines, dropped: log.dropped + over, open, look }
}

/** The lines to show: the kept ones and, while there is something of it, the open one. */
export function linesOf(log: Log): readonly Line[] {
  return log.open === '' ? log.lines : [...log.lines, drawLine(log.open, log.look).spans]
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** A line that is overwritten again and again keeps its end, which is what a reader sees; any other its beginning. */
function clip(line: string): string {
  if (line.length <= longestLine) return line
  return line.includes('\r') ? `\r${line.slice(-longestLine + 1)}` : `${line.slice(0, longestLine - 1)}…`
}
