import type { Readable, Writable } from 'node:stream'

/** How large the screen of somebody is, in characters. */
export interface Screen {
  readonly rows: number
  readonly columns: number
}

/** What somebody wants who comes into a place. */
export interface TerminalWish {
  /** Read by the shell; a shell to talk to unless given. */
  readonly command?: string | undefined
  /** Absolute, as commands see it. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  /** With a terminal of this size; without one unless given. */
  readonly screen?: Screen | undefined
}

/** A process in a place, beside the steps, that somebody talks to. It ends with the place, or before. */
export interface Terminal {
  readonly input: Writable
  readonly output: Readable
  /** Nothing where there is a screen, which shows both. */
  readonly errors: Readable
  /** Its exit code, when it has ended; never rejects. */
  readonly exited: Promise<number>
  resize(screen: Screen): void
  /** Nobody listens any more: it is told to end. May be called twice. */
  hangUp(): void
}
