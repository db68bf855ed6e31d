import type { Place } from '#agent/executors/executor.ts'
import type { Terminal, TerminalWish } from '#agent/executors/terminal.ts'

/** One public key that opens a job. */
export interface VisitorKey {
  readonly login: string
  readonly public_key: string
}

/** A job that people may come into. */
export interface Visit {
  /** The user name by which it is asked for. */
  readonly name: string
  readonly place: Place
  /** Where and with which variables people find themselves. */
  readonly setting: () => Pick<TerminalWish, 'directory' | 'environment'>
  /** Whose keys open it, as of now. */
  readonly keys: () => Promise<readonly VisitorKey[]>
}

/** Who is in a job, and since when nobody is. */
export interface Presence {
  enter(terminal: Terminal): void
  /** How many connections there are. */
  count(): number
  connected(): void
  left(): void
  /** When the last one left; the time of opening while nobody was there. */
  since(): number
  /** Everybody out. */
  close(): void
  readonly closed: AbortSignal
}

/** Nobody is there yet. */
export function openPresence(): Presence {
  const terminals = new Set<Terminal>()
  const closing = new AbortController()
  let here = 0
  let since = performance.now()
  return {
    closed: closing.signal,
    count: () => here,
    since: () => since,
    connected: () => void here++,
    left() {
      here--
      since = performance.now()
    },
    enter(terminal) {
      terminals.add(terminal)
      void terminal.exited.then(() => terminals.delete(terminal))
    },
    close() {
      for (const terminal of terminals) terminal.hangUp()
      closing.abort(new Error('The job is closed'))
    },
  }
}
