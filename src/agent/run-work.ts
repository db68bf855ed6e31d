import { appendFileSync } from 'node:fs'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import type { Mirrors } from './checkout/mirrors.ts'
import type { Place } from './executors/executor.ts'
import { markBegun, outFile, readBegun, type StepEnd } from './job-folder.ts'
import { stoppedStatus } from './outcome.ts'
import type { JobServer } from './server.ts'
import type { Opened } from './ssh/door.ts'
import { outBytesOf } from './step-log.ts'
import type { StopSwitch } from './stop-switch.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './works/work.ts'

/** One step that the agent does itself. */
export interface WorkRun {
  readonly place: Place
  readonly switch: StopSwitch
  readonly index: number
  readonly job: JobSpec
  readonly step: StepSpec
  readonly server: JobServer
  readonly mask: (text: string) => string
  readonly mirrors: Mirrors
  readonly door?: Promise<Opened> | undefined
  readonly work: Work
  /** Aborts when the steps that are not in the background have ended. */
  readonly over: AbortSignal
}

/**
 * Does a step in this process, from the start also when another process was killed over it.
 * Resolves always; a step that was stopped has its status from what stopped it.
 */
export async function runWork(run: WorkRun): Promise<StepEnd> {
  const { place, index, job, step, server, mask, mirrors, door, over } = run
  const again = readBegun(place.folder, index)
  const started_at = (again?.startedAt ?? markBegun(place.folder, index)).toISOString()
  const say = (text: string | Uint8Array) => appendFileSync(outFile(place.folder, index), text, { mode: 0o600 })
  const end = (status: StepEnd['status'], exit_code: number | null): StepEnd => ({
    status,
    exit_code,
    started_at,
    ended_at: new Date().toISOString(),
    outBytes: outBytesOf(place.folder, index),
  })

  try {
    run.switch.signal.throwIfAborted()
    if (again && step.type !== 'service') say('The agent was started again: this step begins anew\n')
    const { signal } = run.switch
    const status = await run.work({ place, job, step, index, say, mask, signal, over, server, mirrors, door })
    return end(status, status === 'success' ? 0 : 1)
  } catch (error) {
    const stop = run.switch.reason()
    if (stop) {
      await run.switch.stopped()
      return end(stoppedStatus(stop), null)
    }
    try {
      say(`${error instanceof Error ? error.message : String(error)}\n`)
    } catch {
      // A full disk: the status must do.
    }
    return error instanceof StepFailed ? end('failed', 1) : end('infrastructure_fail', null)
  }
}
