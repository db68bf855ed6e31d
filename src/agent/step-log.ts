import { pause } from '#kit/backoff.ts'
import { isCut, noteFile, outFile, outputOf } from './job-folder.ts'
import { type Known, logSender, type SendingRoute, type SentLog } from './log-sender.ts'
import { cutMark } from './output-limit.ts'
import { type OutputTimes, watchOutput } from './log-times.ts'
import { isVerbatim, type Redactor } from './redact.ts'
import { openSpool } from './spool.ts'
import { readIfAny } from './whole-file.ts'

/** The log of one step on its way to the server. */
export interface StepLog {
  /** Says that the step has ended and that so many bytes of its output count; resolves when the server has them, and the note. */
  close(outBytes: number): Promise<SentLog>
}

/** What the log of a step needs to know of its job. */
export interface LogRoute extends SendingRoute {
  readonly redactor: () => Redactor
  /** So many bytes of the output are kept. */
  readonly mostBytes: number
  /** Whether the server sees our files. */
  readonly windows: boolean
}

const stepHasEnded = new Error('The step has ended')

/** What is only shown is looked at in pieces of this size: larger ones are no faster and take more memory. */
const mostRead = 256 * 1024

/**
 * Where bytes are only shown, the first looks come sooner, and nothing is shown for them yet: most of what a short step has printed is
 * looked through by the time it ends, instead of after it.
 */
const earlyMs = [5, 10]

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
  let looks = 0
  const known: Known = { confirmed: 0, windows: route.windows }
  const following = follow()
  // Whoever closes the log hears of a failure; until then it must not end the process.
  following.catch(() => {})

  async function follow(): Promise<SentLog> {
    using times = watchOutput(route.folder, step)
    await nextLook()
    if (closing.signal.aborted && outBytes === 0 && readIfAny(noteFile(route.folder, step)) === undefined)
      return { size: 0, crc: 0 }
    for (let rewinds = 0; rewinds < mostRewinds; rewinds++) {
      const sent = await sendAll(times)
      if (sent) return sent
    }
    throw new Error(`Cannot send the log of step ${step}: the server lost bytes of it ${mostRewinds} times`)
  }

  async function nextLook(): Promise<void> {
    const early = route.windows ? earlyMs[looks] : undefined
    looks += 1
    await pause(early ?? Math.max(route.intervalMs, 10), closing.signal)
  }

  /** From the first byte to the last; undefined when the server wants bytes from before where we are. */
  async function sendAll(times: OutputTimes): Promise<SentLog | undefined> {
    await using spool = openSpool(outFile(route.folder, step))
    let redactor = route.redactor()
    let marked = false
    const { send, flush, sent } = logSender(route, step, known)
    let read = 0

    for (;;) {
      const closed = closing.signal.aborted
      for (;;) {
        const bytes = await spool.read(
          known.windows ? Math.min(route.rangeBytes, mostRead) : route.rangeBytes,
          Math.min(outBytes, route.mostBytes),
        )
        if (!bytes) break
        const at = read - redactor.held()
        read += bytes.length
        const pieces = redactor.push(bytes)
        const seen = times.between(at, read).map((mark) => ({ ...mark, byte: mark.byte - at }))
        if (!(await send(pieces, seen, isVerbatim(pieces, read - redactor.held() - at) ? at : undefined)))
          return undefined
      }
      if (!marked && read === route.mostBytes && ((closed && outBytes > read) || isCut(route.folder, step))) {
        marked = true
        // What was held back is dropped: it may be the first half of a secret.
        redactor = route.redactor()
        if (!(await send(redactor.push(Buffer.from(cutMark(route.mostBytes))), justNow()))) return undefined
      }
      const isEarly = route.windows && looks <= earlyMs.length
      if ((closed || !isEarly) && !(await flush())) return undefined
      if (closed) break
      await nextLook()
      // A job that broke off closes no logs; who followed them would hold their files open for ever.
      if (!closing.signal.aborted) route.signal.throwIfAborted()
    }
    const note = readIfAny(noteFile(route.folder, step))
    if (note !== undefined && !(await send(redactor.push(Buffer.from(note)), justNow()))) return undefined
    return (await send(redactor.end(), [])) && (await flush()) ? sent() : undefined
  }

  return {
    close(bytes) {
      outBytes = bytes
      closing.abort(stepHasEnded)
      return following
    },
  }
}

/** When words of our own are written. */
const justNow = () => [{ byte: 0, at: performance.now() }]

/** How much of a step's output there is: all of it, once the step has ended. */
export const outBytesOf = (folder: string, step: number): number => outputOf(folder, step)?.bytes ?? 0
