import { appendFileSync } from 'node:fs'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import type { Mirrors } from './checkout/mirrors.ts'
import { type Place, Unready } from './executors/executor.ts'
import {
  type ClaimedJob,
  outFile,
  readBegun,
  readEnd,
  readStop,
  type StepEnd,
  writeEnd,
  writeNote,
} from './job-folder.ts'
import { calledStep, isDue, type Outcome, stoppedOutcome } from './outcome.ts'
import { isMaskable } from './secret-forms.ts'
import { runStep } from './run-step.ts'
import { runWork } from './run-work.ts'
import type { JobServer } from './server.ts'
import type { Opened } from './ssh/door.ts'
import { workOf } from './step-command.ts'
import { isDoneByAgent } from './works/works.ts'
import { isHalted } from './step-tools.ts'
import type { StopSwitch } from './stop-switch.ts'
import { uptimeMs } from './uptime.ts'

const jobIsOver = new Error('The job is over')

/** Hears how the steps of a job go. */
export interface Listener {
  /** Called before the step is started, which waits for what it returns. */
  began(index: number, startedAt: string): Promise<void> | undefined
  /** Called once for every step, also for those that did not run. */
  ended(index: number, end: StepEnd): void
  /** Waits until the other nodes of the job have ended, or the job is stopped; whether all of them succeeded. */
  othersSucceeded(): Promise<boolean>
}

/**
 * Runs the steps of a job in order and tells the listener of each; resolves with how the job ended, when nothing of it runs any more.
 * Begun by another process of the agent, it goes on where that one was: what has ended is told again and not run again.
 */
export async function runJob(
  job: ClaimedJob,
  place: Place,
  stop: StopSwitch,
  server: JobServer,
  listener: Listener,
  mask: (text: string) => string,
  mirrors: Mirrors,
  door?: Promise<Opened>,
): Promise<Outcome> {
  const { steps } = job.spec
  const over = new AbortController()
  // Also where something is thrown, as on a full disk: nobody watches a job that is gone.
  using _watch = { [Symbol.dispose]: () => over.abort(jobIsOver) }
  const earlier = readStop(place.folder)
  if (earlier) stop.stop(earlier)
  void watchTime(job, stop, over.signal)
  const background: Promise<StepEnd>[] = []
  const ended = new Set<number>()
  const unwritten = new Map<number, StepEnd>()
  let failing = false
  let broken: Outcome | undefined
  let reason: string | null = null
  function settle(index: number, end: StepEnd): StepEnd {
    if (ended.has(index)) return end
    ended.add(index)
    unwritten.set(index, end)
    listener.ended(index, end)
    return end
  }

  async function begin(index: number, step: StepSpec, started = () => {}): Promise<StepEnd> {
    // How a step ended is kept when it matters, before the next one begins: how the last one did can be seen from its exit code.
    for (const [earlier, end] of unwritten) writeEnd(place.folder, earlier, end)
    unwritten.clear()
    const work = workOf(job.spec, step, place)
    if (work.type === 'say') {
      writeNote(place.folder, index, work.words)
      return settle(index, idle(work.status))
    }
    if (index === 0) warnOfUnmasked(job.spec, place.folder)
    await listener.began(index, (readBegun(place.folder, index)?.startedAt ?? new Date()).toISOString())
    const run = { place, switch: stop, index, step }
    if (work.type === 'do') {
      started()
      return settle(
        index,
        await runWork({ ...run, job: job.spec, server, mask, mirrors, door, work: work.work, over: over.signal }),
      )
    }
    return settle(index, await runStep({ ...run, command: work.command, started }))
  }

  /** Deploying is for the first node, when all of the others have succeeded (A6). */
  async function isLeftOut(step: StepSpec): Promise<boolean> {
    if (isHalted(place.shared, step) || !isDue(step.when, failing)) return true
    if (step.type !== 'deploy' || job.spec.node_total === 1) return false
    return job.spec.node_index > 0 || !(await listener.othersSucceeded())
  }

  // A job whose first step is to do this is made ready there, where it can be told.
  if (!stop.signal.aborted && (steps[0]?.type !== 'spin_up' || readEnd(place.folder, 0))) {
    await place.makeReady(() => {}, stop.signal).catch((error: Error) => (broken = brokenBefore(error)))
  }
  for (const [index, step] of steps.entries()) {
    if (broken !== undefined || (stop.signal.aborted && !readBegun(place.folder, index))) break
    const known = readEnd(place.folder, index)
    if (!known && !readBegun(place.folder, index) && (await isLeftOut(step))) {
      settle(index, idle('skipped'))
    } else if ('background' in step && step.background) {
      if (known) {
        settle(index, known)
        continue
      }
      const begun = Promise.withResolvers<void>()
      const running = begin(index, step, begun.resolve)
      background.push(running)
      // Whoever runs steps begins nothing while one in the foreground runs: the next may need this one. What is thrown is heard of below, where
      // all of them are awaited.
      await Promise.race([begun.promise, running.catch(() => {})])
    } else {
      const end = known ? settle(index, known) : await begin(index, step)
      failing ||= end.status === 'failed'
      reason ??= end.reason ?? null
      broken = brokenBy(steps, index, end)
    }
  }
  over.abort(jobIsOver)
  await (stop.reason() ? stop.stopped() : place.stop(0))
  await Promise.all(background)
  for (const index of steps.keys()) settle(index, idle('skipped'))

  const why = stop.reason()
  if (why) return stoppedOutcome(why, job.spec)
  return broken ?? { outcome: failing ? 'failed' : 'success', reason: failing ? reason : null }
}

/** How a job ends with this step, as no other can follow it. */
function brokenBy(steps: readonly StepSpec[], index: number, { status, reason }: StepEnd): Outcome | undefined {
  const step = steps[index]!
  const called = calledStep(steps, index)
  if (status === 'failed' && step.type === 'spin_up') return { outcome: 'failed', reason: notReady }
  if (status !== 'infrastructure_fail') return undefined
  if (reason !== undefined) return { outcome: status, reason }
  if (step.type === 'spin_up') return { outcome: status, reason: notReady }
  const done = isDoneByAgent(step)
    ? `The agent could not do ${called}: its log says why`
    : `The process that ran ${called} has gone without an exit code`
  return { outcome: status, reason: done }
}

const notReady = 'The environment of the job could not be made: the log of the first step says why'

const brokenBefore = (error: Error): Outcome => ({
  outcome: error instanceof Unready && error.fault === 'job' ? 'failed' : 'infrastructure_fail',
  reason: `The environment of the job could not be made: ${error.message}`.slice(0, 2000),
})
/** Says in the log of the first step which secrets will be seen in logs. */
function warnOfUnmasked({ environment, secrets }: JobSpec, folder: string): void {
  if (readBegun(folder, 0)) return
  const plain = new Set(secrets.filter((secret) => secret !== '' && !isMaskable(secret)))
  const names = Object.keys(environment).filter((name) => plain.has(environment[name] ?? ''))
  if (names.length === 0) return
  const words = `Warning: not masked in logs, as the value is shorter than 4 characters or a common word: ${names.join(', ')}\n`
  appendFileSync(outFile(folder, 0), words, { mode: 0o600 })
}

/** The end of a step for which nothing was run. */
function idle(status: StepEnd['status']): StepEnd {
  const at = new Date().toISOString()
  return { status, exit_code: null, started_at: at, ended_at: at, outBytes: 0 }
}

async function watchTime({ spec, claimedAt }: ClaimedJob, stop: StopSwitch, over: AbortSignal): Promise<void> {
  // After a restart of the machine its clock begins anew; then nothing of the job runs any more either.
  const end = Math.min(claimedAt, uptimeMs()) + spec.time_limit_ms
  while (!over.aborted && uptimeMs() < end) await pause(Math.min(end - uptimeMs() + 1, 2 ** 31 - 1), over)
  if (!over.aborted) stop.stop({ type: 'time-limit' })
}
