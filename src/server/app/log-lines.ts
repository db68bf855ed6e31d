import { StringDecoder } from 'node:string_decoder'
import type { LogName } from '#server/store/log-ranges.ts'
import { stepOf } from '#server/store/steps.ts'
import type { App } from './app.ts'
import { type Counted, stretchBytes } from './line-counts.ts'
import { lookBefore } from './log-look.ts'
import { logTimes, timeOf, type TimeMark } from './log-times.ts'
import { readLog } from './read-log.ts'

/** The lines from one on were seen at a time, in milliseconds since 1970. */
export interface LineTime {
  readonly line: number
  readonly at: number
}

/** Some lines of a log, and where they stand in it. */
export interface SomeLines {
  readonly first: number
  readonly lines: readonly string[]
  /** What was said about colours before them, and holds. */
  readonly look: string
  /** When they were seen, from a line on; nothing where it is not known. */
  readonly times: readonly LineTime[]
  readonly total: number
  readonly offset: number
  readonly ended: boolean
}

const nothing: SomeLines = { first: 1, lines: [], look: '', times: [], total: 0, offset: 0, ended: false }

/** What is sent of one line, and of all of them: nobody reads more at once. */
const longestLine = 20_000
const mostCharacters = 700_000

/** Lines from a number on, or the last ones. Only the bytes around them are read, however large the log is. */
export async function linesFrom(app: App, log: LogName, from: number | undefined, count: number): Promise<SomeLines> {
  const step = await stepOf(app.world.db, log.job, log.step, log.node)
  if (!step) return nothing
  const size = step.log_size
  const ended = step.log_state !== 'live'
  const counts = await app.lineCounts(log, size)
  const complete = counts.stretches.reduce((sum, one) => sum + one, 0) + counts.rest
  const open = ended && size > 0 && (await isOpen(app, log, size)) ? 1 : 0
  const total = complete + open
  const first = Math.max(1, from ?? total - count + 1)
  const last = Math.min(total, first + count - 1)
  if (last < first) return { ...nothing, first, total, offset: size, ended }
  const read = await collect(app, log, size, placeBefore(counts, first - 1), last - first + 1)
  // The last lines are wanted, and were too long to be sent with those before them.
  const tooMuch = from === undefined && read.lines.length < last - first + 1 && count > 1
  if (tooMuch) return linesFrom(app, log, undefined, Math.max(1, Math.floor(count / 4)))
  const [begin = 0] = read.starts
  return {
    first,
    lines: read.lines,
    look: await lookBefore(app.world, log, begin),
    times: lineTimes((await logTimes(app.world, log, begin)).marks, read.starts, first),
    total,
    offset: read.offset,
    ended,
  }
}

/** One entry for each change: lines that came together have one time. */
function lineTimes(marks: readonly TimeMark[], starts: readonly number[], first: number): readonly LineTime[] {
  const times: LineTime[] = []
  for (const [index, start] of starts.entries()) {
    const at = timeOf(marks, start)
    if (at !== undefined && at !== times.at(-1)?.at) times.push({ line: first + index, at })
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

async function collect({ world }: App, log: LogName, size: number, { byte, skip }: Place, count: number) {
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
  if (lines.length < count && rest !== '') end(rest)
  return { lines, starts, offset }
}

const clip = (line: string): string => {
  if (line.length <= longestLine) return line
  return line.includes('\r') ? `\r${line.slice(-longestLine + 1)}` : `${line.slice(0, longestLine - 1)}…`
}
