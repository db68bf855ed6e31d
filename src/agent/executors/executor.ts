import type { JobSpec } from '#contract/agent.ts'
import type { PlaceFiles } from './place-files.ts'
import type { Terminal, TerminalWish } from './terminal.ts'

/** One command of a step, complete: what to run, where, and with which variables. */
export interface Command {
  /** The place of the step in its job. */
  readonly step: number
  /** Counts the runs of the same step, from 0. */
  readonly attempt: number
  /** The text that the shell reads from a file. */
  readonly script: string
  /** Words of the shell's command line; the file's name follows them. */
  readonly shell: readonly string[]
  /** Absolute, as commands see it; made where it is missing. */
  readonly directory: string
  /** Nothing of the agent's own environment is added; a container has its own beneath it. */
  readonly environment: Readonly<Record<string, string>>
  /** The next command may begin while this one runs. */
  readonly background: boolean
}

/**
 * What became of a command: `unknown` when whoever ran it has gone without a word, `never` when it was not begun.
 * `reason` is for a person, where more is known than the code says.
 */
export type Exit =
  | { readonly type: 'exited'; readonly code: number; readonly at: Date; readonly reason?: string }
  | { readonly type: 'unknown'; readonly reason?: string }
  | { readonly type: 'never' }

/** Why a place cannot be made ready, in words for the log of the job. */
export class Unready extends Error {
  override readonly name = 'Unready'
  /** `job` when another agent would fare no better: what the job asks for does not exist. */
  readonly fault: 'job' | 'agent'

  constructor(message: string, fault: 'job' | 'agent') {
    super(message)
    this.fault = fault
  }
}

/**
 * A way of running jobs: on this machine, in containers, in a cluster.
 *
 * One executor serves all the jobs of an agent, several at a time. All that it makes for a job lies in one folder, or
 * is named in it, so that another process of the agent can take over, or sweep up, with nothing but that folder.
 */
export interface Executor {
  /** Called once before the first job. Resolves with the reason why jobs cannot run here, if there is one. */
  probe(): Promise<string | undefined>

  /** Called once for each job, before anything else; quick, as nobody holds the lease yet. Has removed what it made if it fails. */
  prepare(spec: JobSpec): Promise<Place>

  /**
   * Called at most once for each folder of `list` after the agent was started again, instead of `prepare`. Starts nothing.
   * Without a job, what is there is only to be destroyed.
   */
  attach(folder: string, spec: JobSpec | undefined): Promise<Place>

  /** The folders of all places not destroyed yet, whichever process made them. Called once, before any `prepare`. */
  list(): readonly string[]

  /** Removes what was made ahead for jobs that never came. Places in use stay. May be called twice. */
  close(): Promise<void>
}

/** How far the output of a service was read: behind so many lines of those that it printed from an instant on, in microseconds since 1970. */
export interface ServiceMark {
  readonly since: number
  readonly lines: number
}

/** How a service ended by itself; `reason` is for a person, where more is known than the code says. */
export interface ServiceEnd {
  readonly code: number
  readonly reason?: string
}

/** Where one job runs. It outlives the process that made it. */
export interface Place {
  /** Holds everything about the job, of the agent and of the executor: `step-<n>.out` is what a step writes. */
  readonly folder: string

  /**
   * What its commands tell the agent lies here, as the agent sees it: `bash-env` is there and empty. In a container they may
   * put anything here: look, but follow no link and write nothing.
   */
  readonly shared: string

  /** The same folder as its commands see it. */
  readonly inside: string

  /** The folder with the agent's own commands, as the job's commands see it; it is first on their search path. */
  readonly tools: string

  /** The home directory of its commands, as they see it. Known when it is ready, as is all that follows. */
  readonly home: string

  /** What every command needs to know of where it is: HOME, PATH. */
  readonly environment: Readonly<Record<string, string>>

  /** Whether there is a `/bin/bash`. */
  readonly bash: boolean

  /**
   * Makes it ready for commands and says how that goes. Called before anything that follows, once by each process of the agent that
   * serves the job; what an earlier one has made is found. Rejects with `Unready`, or with the reason of `signal`.
   */
  makeReady(say: (text: string) => void, signal: AbortSignal): Promise<void>

  readonly files: PlaceFiles

  /** Begins a process that somebody talks to, beside the steps; it ends with the place. Missing where this kind of place has none. */
  terminal?(wish: TerminalWish): Promise<Terminal>

  /**
   * Hands on what a service prints, from the beginning or from behind a mark on, until it ends, the job is over (and then what it
   * had printed by then), or the signal aborts; each time with the mark behind it. Resolves with how it ended, where it has.
   * Missing where this kind of place has no services.
   */
  followService?(
    service: number,
    from: ServiceMark | undefined,
    take: (bytes: Buffer, mark: ServiceMark) => void,
    until: { readonly signal: AbortSignal; readonly over: AbortSignal },
  ): Promise<ServiceEnd | undefined>

  /**
   * Gives later commands a docker engine; `environment` then says where it is. May be called again, and then finds what it has made.
   * Rejects with `Unready` where that is not to be had.
   */
  giveEngine(say: (text: string) => void, signal: AbortSignal): Promise<void>

  /**
   * Begins a command and does not wait for it. Commands not in the background are begun one at a time.
   * Their output is appended to `step-<n>.out`. After a failure nothing has been begun.
   */
  start(command: Command): Promise<void>

  /**
   * Resolves when the command has ended, whichever process started it; may be called again, and gives the same answer.
   * Rejects only with the reason of `signal`, and leaves the command running.
   */
  wait(step: number, attempt: number, signal: AbortSignal): Promise<Exit>

  /** Asks everything that runs here to end, and makes it after `graceMs`. Nothing runs when it resolves; never rejects; may be called twice. */
  stop(graceMs: number): Promise<void>

  /** Stops at once whatever still runs and removes the folder. May be called twice, and after a failure of any other method. */
  destroy(): Promise<void>
}
