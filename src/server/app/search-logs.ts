import { StringDecoder } from 'node:string_decoder'
import { countLines } from './line-counts.ts'
import { stepsOfNode } from '#server/store/steps.ts'
import type { App } from './app.ts'
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

/** A page of the lines of a job that hold a text, whatever its case, in the order of its steps. */
export async function searchLogs(app: App, search: LogSearch, token: string | undefined): Promise<PageOf<FoundLine>> {
  const { job, node, step, text } = search
  const list = `log-search:${job}:${node}`
  const filter = { text, step: step === undefined ? '' : String(step) }
  const begin = toPlace(app.cursors.read(list, token, filter)?.after)
  const items: FoundLine[] = []
  let left = mostBytes
  for (const row of await stepsOfNode(app.world.db, { job, node })) {
    if (row.position < begin.step || (step !== undefined && row.position !== step)) continue
    const from = row.position === begin.step ? begin : { step: row.position, byte: 0, line: 1 }
    for await (const piece of piecesOf(app, search, from, row.log_size)) {
      items.push(...piece.found)
      left -= piece.bytes
      if (piece.next && (items.length >= pageSize || left <= 0)) {
        const after = `${piece.next.step} ${piece.next.byte} ${piece.next.line}`
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

interface Piece {
  readonly found: readonly FoundLine[]
  readonly bytes: number
  /** Where the next line begins; nothing while a line is not over. */
  readonly next?: Place
}

/** Looks through the log of a step, piece by piece: a piece without a match is not even taken apart. */
async function* piecesOf(app: App, search: LogSearch, from: Place, size: number): AsyncGenerator<Piece> {
  const { job, node } = search
  const { step } = from
  const wanted = search.text.toLowerCase()
  const decoder = new StringDecoder('utf8')
  let { byte, line } = from
  let open = ''
  for await (const bytes of readLog(app.world, job, step, byte, size, node)) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const lines = `${open}${decoder.write(buffer)}`
    const cut = lines.lastIndexOf('\n')
    const found = cut === -1 ? [] : matches(lines.slice(0, cut), wanted, step, line)
    open = lines.slice(cut + 1).slice(-longestLine)
    line += countLines(buffer)
    const end = buffer.lastIndexOf(10)
    yield {
      found,
      bytes: buffer.length,
      ...(end !== -1 && { next: { step, byte: byte + end + 1, line } }),
    }
    byte += buffer.length
  }
  yield {
    found: matches(open + decoder.end(), wanted, step, line),
    bytes: 0,
    next: { step: step + 1, byte: 0, line: 1 },
  }
}

function matches(text: string, wanted: string, step: number, first: number): readonly FoundLine[] {
  if (!text.toLowerCase().includes(wanted)) return []
  return text.split('\n').flatMap((line, at) => {
    const place = line.toLowerCase().indexOf(wanted)
    return place === -1 ? [] : [{ step, line: first + at, text: around(line, place) }]
  })
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
