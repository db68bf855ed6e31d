import { lookAfter } from './ansi.ts'
import { type Look, plain } from './look.ts'

/** One line as it came, the look it begins with, and when it was begun, in milliseconds since 1970, where that is known. */
export interface Line {
  readonly text: string
  readonly look: Look
  readonly at: number | undefined
}

/** As much of a log as the page keeps: whole lines, and the beginning of the one that is still being written. */
export interface Log {
  readonly lines: readonly Line[]
  /** How many lines are before the first kept one. */
  readonly dropped: number
  /** The byte behind those that nobody has counted, and which are not among them; until they are, no line has a number. */
  readonly uncounted: number | undefined
  /** Raw text of the line that has no end yet, the look it began with, and when. */
  readonly open: string
  readonly look: Look
  readonly openedAt: number | undefined
}

/** A log of which nothing has come yet. */
export const emptyLog: Log = { lines: [], dropped: 0, uncounted: undefined, open: '', look: plain, openedAt: undefined }

const mostLines = 5_000
// A line of a minified bundle costs more to draw than the reader gains from it.
const longestLine = 20_000

/** The log after some more text of it, which was seen at a time: the same, however the text was cut. */
export function grow(log: Log, text: string, at?: number, most: number = mostLines): Log {
  const [head = '', ...rest] = text.split('\n')
  const raw = [log.open + head, ...rest]
  const open = clip(raw.pop()!)
  // Of more lines than are kept the first only matter for the look that they leave.
  const skipped = Math.max(0, raw.length - most)
  let look = log.look
  let begun = log.open === '' ? at : log.openedAt
  const lines = skipped > 0 ? [] : log.lines.slice(Math.max(0, log.lines.length + raw.length - most))
  for (const [index, one] of raw.entries()) {
    const line = clip(withoutReturn(one))
    if (index >= skipped) lines.push({ text: line, look, at: begun })
    look = lookAfter(line, look)
    begun = at
  }
  const dropped = log.dropped + log.lines.length + raw.length - lines.length
  return { ...log, lines, dropped, open, look, openedAt: open === '' ? undefined : begun }
}

/** The line that is being written, as far as there is something of it. */
export const openLine = (log: Log): Line | undefined =>
  log.open === '' ? undefined : { text: log.open, look: log.look, at: log.openedAt }

/** A log once the number of the line is known that begins at a byte. */
export const numbered = (log: Log, byte: number, line: number): Log =>
  log.uncounted === byte ? { ...log, dropped: log.dropped + line - 1, uncounted: undefined } : log

/** How many lines a log has so far. */
export const countOf = (log: Log): number => log.dropped + log.lines.length + (log.open === '' ? 0 : 1)

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** A line that is overwritten again and again keeps its end, which is what a reader sees; any other its beginning. */
function clip(line: string): string {
  if (line.length <= longestLine) return line
  return line.includes('\r') ? `\r${line.slice(-longestLine + 1)}` : `${line.slice(0, longestLine - 1)}…`
}
