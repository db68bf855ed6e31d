import { stepsOfNode } from '#server/store/steps.ts'
import type { App } from './app.ts'
import { countLines, stretchBytes } from './line-counts.ts'
import type { PageOf } from './lists.ts'
import { readLog } from './read-log.ts'

/** What somebody looks for, and where. */
export interface LogSearch {
  readonly job: string
  readonly node: number
  readonly step: number | undefined
  readonly text: string
}

/** A line that holds what was looked for. */
export interface FoundLine {
  readonly step: number
  readonly line: number
  readonly text: string
}

const pageSize = 100
/** Bytes that one question looks through: about half a second. */
const mostBytes = 128 * 1024 * 1024
/** Of a line that is longer than this only the end is looked at. */
const longestLine = 1024 * 1024
const shown = 400

/**
 * A page of the lines of a job that hold a text, whatever its case, in the order of its steps. Ends early, with what it
 * has, when nobody waits for it any more.
 */
export async function searchLogs(
  app: App,
  search: LogSearch,
  token: string | undefined,
  gone: AbortSignal,
): Promise<PageOf<FoundLine>> {
  const { job, node, step, text } = search
  const list = `log-search:${job}:${node}`
  const filter = { text, step: step === undefined ? '' : String(step) }
  const begin = toPlace(app.cursors.read(list, token, filter)?.after)
  const wanted = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  const items: FoundLine[] = []
  let left = mostBytes
  for (const row of await stepsOfNode(app.world.db, { job, node })) {
    if (row.position < begin.step || (step !== undefined && row.position !== step)) continue
    const from = row.position === begin.step ? begin : { step: row.position, byte: 0, line: 1 }
    for await (const stretch of stretchesOf(app, search, from, row.log_size)) {
      left -= stretch.text.length
      const next = find(stretch, wanted, items)
      if (next && (items.length >= pageSize || left <= 0 || gone.aborted)) {
        const after = `${next.step} ${next.byte} ${next.line}`
        return { items, next: app.cursors.write(list, { after, filter }) }
      }
    }
  }
  return { items, next: null }
}

/** Where a search goes on: a step, a byte of its log that begins a line, and the number of that line. */
interface Place {
  readonly step: number
  readonly byte: number
  readonly line: number
}

function toPlace(text = '0 0 1'): Place {
  const [step = 0, byte = 0, line = 1] = text.split(' ').map(Number)
  return { step, byte, line }
}

/** Whole lines. */
interface Stretch {
  readonly text: Buffer
  readonly at: Place
  /** What comes after them; nothing while a line is not over. */
  readonly next: Place | undefined
}

/** The log of a step in whole lines, as it is read: of what holds nothing not even the lines are counted, as far as they were before. */
async function* stretchesOf(app: App, { job, node }: LogSearch, from: Place, size: number): AsyncGenerator<Stretch> {
  const { step } = from
  const { stretches } = await app.lineCounts.of({ job, node, step }, size)
  let at = from
  let line = from.line
  let byte = from.byte
  let open: Buffer = Buffer.of()
  for await (const bytes of readLog(app.world, job, step, byte, size, node)) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const known =
      byte % stretchBytes === 0 && buffer.length === stretchBytes ? stretches[byte / stretchBytes] : undefined
    line += known ?? countLines(buffer)
    byte += buffer.length
    const cut = buffer.lastIndexOf(10) + 1
    if (cut === 0) {
      open = Buffer.concat([open, buffer]).subarray(-longestLine)
      continue
    }
    const next = { step, byte: byte - buffer.length + cut, line }
    yield {
      text: open.length === 0 ? buffer.subarray(0, cut) : Buffer.concat([open, buffer.subarray(0, cut)]),
      at,
      next,
    }
    open = buffer.subarray(cut)
    at = next
  }
  yield { text: open, at, next: { step: step + 1, byte: 0, line: 1 } }
}

/** Adds the lines that hold what is wanted, until there are enough; gives where to go on. Nothing is taken apart before a match. */
function find({ text: bytes, at, next }: Stretch, wanted: RegExp, items: FoundLine[]): Place | undefined {
  const text = bytes.toString()
  let line = at.line
  let passed = 0
  wanted.lastIndex = 0
  for (let match = wanted.exec(text); match; match = wanted.exec(text)) {
    const start = text.lastIndexOf('\n', match.index) + 1
    const end = text.indexOf('\n', match.index)
    for (let feed = text.indexOf('\n', passed); feed !== -1 && feed < start; feed = text.indexOf('\n', feed + 1)) line++
    passed = start
    items.push({
      step: at.step,
      line,
      text: around(text.slice(start, end === -1 ? undefined : end), match.index - start),
    })
    if (end === -1) break
    if (items.length >= pageSize)
      return { step: at.step, byte: at.byte + Buffer.byteLength(text.slice(0, end + 1)), line: line + 1 }
    wanted.lastIndex = end + 1
  }
  return next
}

// oxlint-disable-next-line no-control-regex
const control = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** As much of a line as can be shown, without what a terminal would obey. */
function around(line: string, place: number): string {
  const from = Math.max(0, place - shown / 2)
  return line
    .slice(from, from + shown)
    .replaceAll(control, '')
    .trim()
}
