import { crc32 } from 'node:zlib'
import { pause } from '#kit/backoff.ts'
import { noteFile, outFile, outputOf } from './job-folder.ts'
import type { Redactor } from './redact.ts'
import { type JobServer, persist } from './server.ts'
import { openSpool } from './spool.ts'
import { readIfAny } from './whole-file.ts'

/** What was sent of a log, after redaction. */
export interface SentLog {
  readonly size: number
  readonly crc: number
}

/** The log of one step on its way to the server. */
export interface StepLog {
  /** Says that the step has ended and that so many bytes of its output count; resolves when the server has them, and the note. */
  close(outBytes: number): Promise<SentLog>
}

/** What the log of a step needs to know of its job. */
export interface LogRoute {
  readonly folder: string
  readonly server: JobServer
  readonly redactor: () => Redactor
  readonly rangeBytes: number
  readonly intervalMs: number
  readonly signal: AbortSignal
  readonly tell: (line: string) => void
}

const stepHasEnded = new Error('The step has ended')

/** A server that forgets what it had more often than this is not worth another try. */
const mostRewinds = 20

/**
 * Follows the output of a step, redacts it and sends it in ranges, one at a time: a slow server makes the file wait, not the step.
 * Whatever the server already has, from an earlier process or from an answer that got lost, is made again and not sent:
 * redaction gives the same bytes every time.
 */
export function followLog(route: LogRoute, step: number): StepLog {
  const closing = new AbortController()
  let outBytes = Infinity
  /** How much the server has, as far as it told. */
  let confirmed = 0
  const following = follow()
  // Whoever closes the log hears of a failure; until then it must not end the process.
  following.catch(() => {})

  async function follow(): Promise<SentLog> {
    await pause(Math.max(route.intervalMs, 10), closing.signal)
    if (closing.signal.aborted && outBytes === 0 && readIfAny(noteFile(route.folder, step)) === undefined)
      return { size: 0, crc: 0 }
    for (let rewinds = 0; rewinds < mostRewinds; rewinds++) {
      const sent = await sendAll()
      if (sent) return sent
    }
    throw new Error(`Cannot send the log of step ${step}: the server lost bytes of it ${mostRewinds} times`)
  }

  /** From the first byte to the last; undefined when the server wants bytes from before where we are. */
  async function sendAll(): Promise<SentLog | undefined> {
    await using spool = openSpool(outFile(route.folder, step))
    const redactor = route.redactor()
    let size = 0
    let crc = 0

    async function send(pieces: readonly Buffer[]): Promise<boolean> {
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
      crc = crc32(bytes, crc)
      const from = size
      size += bytes.length
      while (confirmed < size) {
        if (confirmed < from) return false
        const range = bytes.subarray(confirmed - from, confirmed - from + route.rangeBytes)
        confirmed = await persist(
          () => route.server.append(step, confirmed, [range], route.signal),
          route.signal,
          route.tell,
        )
      }
      return true
    }

    for (;;) {
      const closed = closing.signal.aborted
      for (;;) {
        const bytes = await spool.read(route.rangeBytes, outBytes)
        if (!bytes) break
        if (!(await send(redactor.push(bytes)))) return undefined
      }
      if (closed) break
      await pause(Math.max(route.intervalMs, 10), closing.signal)
    }
    const note = readIfAny(noteFile(route.folder, step))
    if (note !== undefined && !(await send(redactor.push(Buffer.from(note))))) return undefined
    return (await send(redactor.end())) ? { size, crc } : undefined
  }

  return {
    close(bytes) {
      outBytes = bytes
      closing.abort(stepHasEnded)
      return following
    },
  }
}

/** How much of a step's output there is: all of it, once the step has ended. */
export const outBytesOf = (folder: string, step: number): number => outputOf(folder, step)?.bytes ?? 0
