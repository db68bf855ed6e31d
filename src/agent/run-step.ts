import type { StepSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import type { Command, Exit, Place } from './executors/executor.ts'
import { fullDisk, isDiskFull } from './full-disk.ts'
import { outputOf, readBegun, type StepEnd, writeNote } from './job-folder.ts'
import { span, stoppedStatus } from './outcome.ts'
import { outBytesOf } from './step-log.ts'
import { watchWords } from './silence.ts'
import type { StopSwitch } from './stop-switch.ts'

/** A clone says nothing until it is done, and may take long. */
const usualSilence = 3_600_000
/** A command that is not begun so many times will not be begun. */
const mostStarts = 3
/** Why waiting for silence ends; made once, as making an error for every step shows in the time of a small job. */
const stepIsOver = new Error('The step is over')

/** One step with a command, to be begun or to be taken over. */
export interface StepRun {
  readonly place: Place
  readonly switch: StopSwitch
  readonly index: number
  readonly step: StepSpec
  readonly command: Omit<Command, 'step' | 'attempt'>
  /** Called when its command has been begun, by this process or by another one. */
  readonly started?: () => void
}

/**
 * Runs the command of a step to its end, as often as its reruns allow, whether this process began it or another one did.
 * Resolves always; a step that was stopped has its status from what stopped it.
 */
export async function runStep(run: StepRun): Promise<StepEnd> {
  const { place, index, step } = run
  const begun = readBegun(place.folder, index)
  const started_at = (begun?.startedAt ?? new Date()).toISOString()
  const reruns = step.type === 'run' || step.type === 'deploy' ? (step.max_auto_reruns ?? 0) : 0
  const end = (status: StepEnd['status'], exit_code: number | null, at = new Date(), reason?: string): StepEnd => ({
    status,
    exit_code,
    started_at,
    ended_at: at.toISOString(),
    outBytes: outBytesOf(place.folder, index),
    ...(reason !== undefined && { reason }),
  })

  let attempt = begun?.attempt ?? 0
  let starts = 0
  if (begun) run.started?.()
  let exit: Exit = begun ? await wait(run, attempt, begun.startedAt.getTime()) : { type: 'never' }
  for (;;) {
    const stop = run.switch.reason()
    if (stop) {
      await run.switch.stopped()
      if (stop.type === 'no-output' && stop.step === index) writeNote(place.folder, index, `\n${silenceText(step)}\n`)
      const last = await place.wait(index, attempt, AbortSignal.timeout(1000)).catch(() => undefined)
      return end(stoppedStatus(stop), last?.type === 'exited' ? last.code : null)
    }
    if (exit.type === 'unknown' && run.command.background) return end('canceled', null)
    if (exit.type === 'unknown' || starts > reruns + mostStarts) {
      const reason = (exit.type === 'unknown' ? exit.reason : undefined) ?? lackOf(place)
      writeNote(place.folder, index, `\n${reason ?? 'The process that ran this step has gone without an exit code'}\n`)
      return end('infrastructure_fail', null, undefined, reason)
    }
    if (exit.type === 'exited') {
      if (exit.code === 0) return end('success', 0, exit.at)
      if (attempt >= reruns) {
        const reason = exit.reason ?? lackOf(place)
        if (reason !== undefined) writeNote(place.folder, index, `\n${reason}\n`)
        return end('failed', exit.code, exit.at, reason)
      }
      await pause(delayOf(step), run.switch.signal)
      attempt++
    }
    if (run.switch.signal.aborted) continue
    starts++
    await place.start({ ...run.command, step: index, attempt })
    run.started?.()
    exit = await wait(run, attempt, Date.now())
  }
}

/** What a failed step may have failed for, whatever its code says. */
const lackOf = ({ folder }: Place): string | undefined => (isDiskFull(folder) ? fullDisk : undefined)

/** Waits for the end of a command, for the switch, and for silence, which turns the switch. */
async function wait(run: StepRun, attempt: number, since: number): Promise<Exit> {
  const over = new AbortController()
  if (!run.command.background) void watchSilence(run, since, over.signal)
  try {
    return await run.place.wait(run.index, attempt, run.switch.signal)
  } catch {
    return { type: 'unknown' }
  } finally {
    over.abort(stepIsOver)
  }
}

async function watchSilence(run: StepRun, since: number, over: AbortSignal): Promise<void> {
  const wordAt = () => outputOf(run.place.folder, run.index)?.at ?? 0
  const left = watchWords(silenceOf(run.step), since, wordAt())
  while (!over.aborted) {
    const ms = left(wordAt())
    if (ms <= 0) return run.switch.stop({ type: 'no-output', step: run.index })
    await pause(Math.min(ms + 1, 2 ** 31 - 1), over)
  }
}

const silenceOf = (step: StepSpec) =>
  step.type === 'run' || step.type === 'deploy' ? step.no_output_timeout_ms : usualSilence
const silenceText = (step: StepSpec) =>
  `Too long with no output (exceeded ${span(silenceOf(step))}): context deadline exceeded`
const delayOf = (step: StepSpec) =>
  step.type === 'run' || step.type === 'deploy' ? (step.auto_rerun_delay_ms ?? 0) : 0
