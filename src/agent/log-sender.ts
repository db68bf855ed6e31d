import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { logTimes, type Mark } from './log-times.ts'
import { type JobServer, persist } from './server.ts'

/** What was sent of a log, after redaction. */
export interface SentLog {
  readonly size: number
  /** Nothing where it was shown: whoever reads the very same file need not check that it arrived. */
  readonly crc: number | null
}

/** How one log gets to the server. */
export interface SendingRoute {
  readonly folder: string
  readonly server: JobServer
  readonly rangeBytes: number
  readonly intervalMs: number
  readonly signal: AbortSignal
  readonly tell: (line: string) => void
}

/** What the server is known to have, from one try to send a log to the next. */
export interface Known {
  /** Bytes of the log, as far as it told. */
  confirmed: number
  /** Whether it may be shown bytes instead of sent. */
  windows: boolean
}

/** Shown to the server together: a request for each megabyte would cost more than looking at it. */
const mostShown = 32 * 1024 * 1024

interface Shown {
  readonly from: number
  size: number
  /** In the output of the step. */
  readonly at: number
}

/**
 * Sends a log in order, piece by piece, from its first byte. What the server already has is not sent again.
 * Answers false when the server wants bytes from before the piece: then all of it must be made again.
 */
export function logSender(route: SendingRoute, step: number, known: Known) {
  let size = 0
  let crc = 0
  let shown: Shown | undefined
  let shownAt = performance.now()
  const times = logTimes()

  /**
   * `seen` tells when the bytes that the pieces were made of were seen, counted from the first of them; `at` is where the
   * pieces stand in the output of the step, if they stand there as they are.
   */
  async function send(pieces: readonly Buffer[], seen: readonly Mark[], at?: number): Promise<boolean> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length === 0) return true
    const from = size
    times.add(from, seen, length)
    if (!known.windows) for (const piece of pieces) crc = crc32(piece, crc)
    size += length
    if (known.windows && at !== undefined) {
      if (shown && shown.at + shown.size !== at && !(await flush())) return false
      if (shown) shown.size += length
      else shown = { from, size: length, at }
      return shown.size < mostShown && performance.now() - shownAt < route.intervalMs ? true : flush()
    }
    return (await flush()) && sendBytes(from, pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
  }

  async function sendBytes(from: number, bytes: Buffer): Promise<boolean> {
    while (known.confirmed < from + bytes.length) {
      if (known.confirmed < from) return false
      const start = known.confirmed
      const range = bytes.subarray(start - from, start - from + route.rangeBytes)
      known.confirmed = await persist(
        () => route.server.append(step, start, [range], times.tell(start, start + range.length), route.signal),
        route.signal,
        route.tell,
      )
    }
    return true
  }

  /** Shows what has gathered. */
  async function flush(): Promise<boolean> {
    const window = shown
    shown = undefined
    shownAt = performance.now()
    if (!window) return true
    while (known.confirmed < window.from + window.size) {
      if (known.confirmed < window.from) return false
      const start = known.confirmed
      const skip = start - window.from
      const body = {
        start,
        size: window.size - skip,
        folder: basename(route.folder),
        at: window.at + skip,
        crc: 0,
      }
      const told = () => ({ ...body, times: times.tell(start, window.from + window.size) })
      const offset = await persist(() => route.server.show(step, told(), route.signal), route.signal, route.tell)
      if (offset === undefined) {
        known.windows = false
        return false
      }
      known.confirmed = offset
    }
    return true
  }

  return { send, flush, sent: (): SentLog => ({ size, crc: known.windows ? null : crc }) }
}
