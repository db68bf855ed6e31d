import { StringDecoder } from 'node:string_decoder'
import type { LogName } from '#server/store/log-ranges.ts'
import { stepOf } from '#server/store/steps.ts'
import type { App } from './app.ts'
import { type Counted, stretchBytes } from './line-counts.ts'
import { lookBefore } from './log-look.ts'
import { logTimes, timeOf, type TimeMark } from './log-times.ts'
import { readLog } from './read-log.ts'

/** The lines from one on, counted from the first that was read, were seen at a time, in milliseconds since 1970. */
export interface LineTime {
  readonly index: number
  readonly at: number
}

/** Some lines of a log, and where they stand in it. */
export interface SomeLines {
  /** The number of the first; nothing where nobody has counted those before it yet. */
  readonly first: number | undefined
  /** The byte at which the first begins. */
  readonly start: number
  readonly lines: readonly string[]
  /** What was said about colours before them, and holds. */
  readonly look: string
  /** When they were seen, from a line on; nothing where it is not known. */
  readonly times: readonly LineTime[]
  readonly total: number | undefined
  readonly offset: number
  readonly ended: boolean
}

const nothing = {
  first: 1,
  start: 0,
  lines: [],
  look: '',
  times: [],
  total: 0,
  offset: 0,
  ended: false,
} satisfies SomeLines

/** What is sent of one line, and of all of them: nobody reads more at once. */
const longestLine = 20_000
const mostCharacters = 700_000

/**
 * Lines from a number on, or the last ones. Only the bytes around them are read, however large the log is: the last ones
 * of a log that was not counted yet come without their numbers.
 */
export async function linesFrom(app: App, log: LogName, from: number | undefined, count: number): Promise<SomeLines> {
  const step = await stepOf(app.world.db, log.job, log.step, log.node)
  if (!step) return nothing
  const size = step.log_size
  const ended = step.log_state !== 'live'
  if (from === undefined && step.log_state !== 'packed' && !app.lineCounts.isNear(log, size)) {
    const last = await lastLines(app, log, size, count, ended)
    if (last) return last
  }
  const counts = await app.lineCounts.of(log, size)
  const complete = counts.stretches.reduce((sum, one) => sum + one, 0) + counts.rest
  const open = ended && size > 0 && (await isOpen(app, log, size)) ? 1 : 0
  const total = complete + open
  const first = Math.max(1, from ?? total - count + 1)
  const last = Math.min(total, first + count - 1)
  if (last < first) return { ...nothing, first, start: size, total, offset: size, ended }
  const read = await collect(app, log, size, placeBefore(counts, first - 1), last - first + 1)
  // The last lines are wanted, and were too long to be sent with those before them.
  const tooMuch = from === undefined && read.lines.length < last - first + 1 && count > 1
  if (tooMuch) return linesFrom(app, log, undefined, Math.max(1, Math.floor(count / 4)))
  return { first, total, ended, ...(await withLook(app, log, read)) }
}

/** How far back the last lines of a log are looked for. */
const backwards = [128 * 1024, 640 * 1024]

/** The last lines, found from the end of the log; nothing where they are too long for that. */
async function lastLines(app: App, log: LogName, size: number, count: number, ended: boolean) {
  for (const bytes of backwards) {
    // Wherever that is in a line: it begins with the next.
    const read = await collect(app, log, size, { byte: size - bytes, skip: 1 }, Infinity, ended)
    if (read.lines.length < count && bytes !== backwards.at(-1)) continue
    if (read.lines.length === 0) return undefined
    const last = { ...read, lines: read.lines.slice(-count), starts: read.starts.slice(-count) }
    return { first: undefined, total: undefined, ended, ...(await withLook(app, log, last)) }
  }
  return undefined
}

/** The number of the line that begins at a byte: one more than end before it. */
export async function lineNumberAt(app: App, log: LogName, byte: number): Promise<number> {
  const step = await stepOf(app.world.db, log.job, log.step, log.node)
  const { stretches, rest } = await app.lineCounts.of(log, Math.min(byte, step?.log_size ?? 0))
  return stretches.reduce((sum, one) => sum + one, rest) + 1
}

/** What must be known of lines beside their text. */
async function withLook({ world }: App, log: LogName, { lines, starts, offset }: Collected) {
  const [start = 0] = starts
  return {
    start,
    lines,
    look: await lookBefore(world, log, start),
    times: lineTimes((await logTimes(world, log, start)).marks, starts),
    offset,
  }
}

/** One entry for each change: lines that came together have one time. */
function lineTimes(marks: readonly TimeMark[], starts: readonly number[]): readonly LineTime[] {
  const times: LineTime[] = []
  for (const [index, start] of starts.entries()) {
    const at = timeOf(marks, start)
    if (at !== undefined && at !== times.at(-1)?.at) times.push({ index, at })
  }
  return times
}

/** Whether the last line has no end. */
async function isOpen({ world }: App, log: LogName, size: number): Promise<boolean> {
  for await (const bytes of readLog(world, log.job, log.step, size - 1, size, log.node)) return bytes[0] !== 10
  return false
}

/** A byte, and how many lines ended before it. */
interface Place {
  readonly byte: number
  /** Line ends to pass from there. */
  readonly skip: number
}

/** The stretch in which so many lines have ended. */
function placeBefore({ stretches }: Counted, ends: number): Place {
  let left = ends
  for (const [at, count] of stretches.entries()) {
    if (left <= count && (left > 0 || at === 0)) return { byte: at * stretchBytes, skip: left }
    left -= count
  }
  return { byte: stretches.length * stretchBytes, skip: left }
}

/** Lines, the bytes at which they begin, and the byte behind the last of them. */
interface Collected {
  readonly lines: readonly string[]
  readonly starts: readonly number[]
  readonly offset: number
}

/** Reads so many lines; the last, where it has no end, only if it is wanted. */
async function collect(
  { world }: App,
  log: LogName,
  size: number,
  { byte, skip }: Place,
  count: number,
  withOpen = true,
): Promise<Collected> {
  const decoder = new StringDecoder('utf8')
  const lines: string[] = []
  const starts: number[] = []
  let open = ''
  let passed = skip
  let characters = 0
  let offset = byte
  let begin = byte
  const end = (text: string) => {
    const line = clip(text)
    starts.push(begin)
    lines.push(line.endsWith('\r') ? line.slice(0, -1) : line)
    characters += line.length
  }
  for await (const bytes of readLog(world, log.job, log.step, byte, size, log.node)) {
    let at = 0
    while (at < bytes.length) {
      const stop = bytes.indexOf(10, at)
      const part = bytes.subarray(at, stop === -1 ? bytes.length : stop)
      at += part.length + (stop === -1 ? 0 : 1)
      const after = offset + part.length + (stop === -1 ? 0 : 1)
      if (passed > 0) {
        if (stop !== -1) {
          passed--
          begin = after
        }
      } else {
        // A line that is overwritten again and again is kept by its end: what was before it nobody sees.
        open = clip(open + decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length)))
        if (stop !== -1) {
          end(open + decoder.end())
          open = ''
          begin = after
        }
      }
      offset = after
      if (lines.length === count || characters > mostCharacters) return { lines, starts, offset }
    }
  }
  const rest = open + decoder.end()
  if (rest !== '' && !withOpen) return { lines, starts, offset: begin }
  if (lines.length < count && rest !== '') end(rest)
  return { lines, starts, offset }
}

const clip = (line: string): string => {
  if (line.length <= longestLine) return line
  return line.includes('\r') ? `\r${line.slice(-longestLine + 1)}` : `${line.slice(0, longestLine - 1)}…`
}
