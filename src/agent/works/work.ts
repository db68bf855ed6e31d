import type { JobSpec, StepSpec } from '#contract/agent.ts'
import type { Mirrors } from '#agent/checkout/mirrors.ts'
import type { Place } from '#agent/executors/executor.ts'
import type { JobServer } from '#agent/server.ts'
import type { Opened } from '#agent/ssh/door.ts'

/** What a step that the agent does itself may use. */
export interface WorkTools<S extends StepSpec = StepSpec> {
  readonly place: Place
  readonly job: JobSpec
  readonly step: S
  /** Its place in the job. */
  readonly index: number
  /** Appends words to the step's log as they are, a line break included; they are redacted like all output. */
  readonly say: (text: string | Uint8Array) => void
  /** Hides the secrets of the job in a text that goes elsewhere than into the log. */
  readonly mask: (text: string) => string
  /** Aborts when the job is to stop. Whoever waits gives up then. */
  readonly signal: AbortSignal
  /** Aborts when all other steps have ended: a step beside them is done then. */
  readonly over: AbortSignal
  readonly server: JobServer
  /** The repositories that this agent has seen. */
  readonly mirrors: Mirrors
  /** Where the job is reached by SSH; nothing where it is not meant to be. */
  readonly door: Promise<Opened> | undefined
}

/**
 * A step done by the agent, not by a command in the place. It may be killed at any moment and is then done again from
 * the start, so the second time must be harmless. What it throws ends the step: a `StepFailed` as the job's own
 * failure, anything else as one of ours.
 */
export type Work<S extends StepSpec = StepSpec> = (tools: WorkTools<S>) => Promise<'success' | 'failed'>
