import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobSpec } from '#contract/agent.ts'
import type { StepReport } from '#contract/agent/report.ts'
import { ownText, readIfAny, readJson, writeWhole } from './whole-file.ts'

/*
 * What another process of the agent must know to take over a job, in files below the job's folder:
 *
 *   job.json               the job as it was claimed, and when
 *   secrets.json           what the job was given to keep to itself while it ran
 *   stop.json              why it is being stopped, written before anything is stopped
 *   step-<n>.out           what the step wrote, appended by the step itself
 *   step-<n>.cut           says that the step wrote more than is kept
 *   step-<n>.note          what the agent has to say after it
 *   step-<n>.end.json      how the step ended, and how much of `out` belongs to it
 *
 * How much of a log the server has is asked of the server: it is the one who knows.
 */

/** A job as it was claimed. */
export interface ClaimedJob {
  readonly spec: JobSpec
  /** By the clock of `uptimeMs`. */
  readonly claimedAt: number
  readonly leaseMs: number
  /** How long the server waits for the first heartbeat that names it. */
  readonly acceptMs: number
}

/** Why a job is stopped before its end. */
export type Stop =
  | { readonly type: 'canceled' }
  | { readonly type: 'time-limit' }
  | { readonly type: 'no-output'; readonly step: number }
  | { readonly type: 'fenced' }
  | { readonly type: 'lost' }

/** How a step ended. `outBytes` of its output are its log; what its children write later is not. */
export interface StepEnd extends Pick<StepReport, 'status' | 'started_at' | 'exit_code'> {
  readonly ended_at: string
  readonly outBytes: number
  /** Why, for a person, where its status and log do not say it. */
  readonly reason?: string
}

/** The file that bash reads before each step, and to which a step may add for those after it. */
export const shellEnvFile = (folder: string): string => join(folder, 'bash-env')

/** Where a job is kept as it was claimed, with its token and its keys. */
export const jobFile = (folder: string): string => join(folder, 'job.json')

/**
 * Keeps a claimed job: from here on another process can take it over.
 * Nothing is run before all of it is written, so that what a crash leaves of it is as good as nothing.
 */
export const writeJob = (folder: string, job: ClaimedJob): void =>
  writeFileSync(jobFile(folder), JSON.stringify(job), { ...ownText })

/** The job of a folder; undefined where none was kept whole. */
export const readJob = (folder: string): ClaimedJob | undefined => readJson<ClaimedJob>(jobFile(folder))

/**
 * Forgets a job whose end the server knows, before anything else of its folder is removed: what a crash leaves of the folder is then
 * no job, and not one whose steps have never run.
 */
export const forgetJob = (folder: string): void => rmSync(jobFile(folder), { force: true })

/** Keeps why a job is stopped: whoever takes it over ends it for the same reason. */
export const writeStop = (folder: string, stop: Stop): void =>
  writeWhole(join(folder, 'stop.json'), JSON.stringify(stop))

/** Why a job was being stopped, if it was. */
export const readStop = (folder: string): Stop | undefined => readJson<Stop>(join(folder, 'stop.json'))

const secretsFile = (folder: string): string => join(folder, 'secrets.json')

/** Keeps a secret that a job is about to be given: whoever takes it over must hide it too, in what was printed before. */
export const keepSecret = (folder: string, secret: string): void =>
  writeWhole(secretsFile(folder), JSON.stringify([...keptSecrets(folder), secret]))

/** What a job was given to keep to itself while it ran. */
export const keptSecrets = (folder: string): readonly string[] => readJson<readonly string[]>(secretsFile(folder)) ?? []

/** Where the output of a step is. */
export const outFile = (folder: string, step: number): string => join(folder, `step-${step}.out`)

const cutFile = (folder: string, step: number): string => join(folder, `step-${step}.cut`)

/** Keeps that a step wrote more than is kept: said before anything is thrown away. */
export const markCut = (folder: string, step: number): void => writeFileSync(cutFile(folder, step), '', { mode: 0o600 })

/** Whether a step wrote more than is kept. */
export const isCut = (folder: string, step: number): boolean => existsSync(cutFile(folder, step))

/** Where the agent's own words to a step are. */
export const noteFile = (folder: string, step: number): string => join(folder, `step-${step}.note`)

const endFile = (folder: string, step: number): string => join(folder, `step-${step}.end.json`)

/** Adds the agent's own words to the end of a step's log; the first ones stay. */
export function writeNote(folder: string, step: number, text: string): void {
  if (readIfAny(noteFile(folder, step)) === undefined) writeWhole(noteFile(folder, step), text)
}

/** Keeps how a step ended, so that it is not run again. */
export const writeEnd = (folder: string, step: number, end: StepEnd): void =>
  writeWhole(endFile(folder, step), JSON.stringify(end))

/** How a step ended, if that was kept. */
export const readEnd = (folder: string, step: number): StepEnd | undefined => readJson<StepEnd>(endFile(folder, step))

/** When a step was begun and how many runs of it there were; undefined when it was not. */
export function readBegun(
  folder: string,
  step: number,
): { readonly startedAt: Date; readonly attempt: number } | undefined {
  const made = (attempt: number) => statSync(join(folder, `step-${step}.go-${attempt}`), { throwIfNoEntry: false })
  const first = made(0)
  let attempt = 0
  while (first && made(attempt + 1)) attempt++
  return first && { startedAt: first.mtime, attempt }
}

/** Keeps that a step without a command was begun, and when. */
export function markBegun(folder: string, step: number): Date {
  writeFileSync(join(folder, `step-${step}.go-0`), '', { mode: 0o600 })
  return new Date()
}

/** How many bytes a step has written, and when the last of them. */
export function outputOf(folder: string, step: number): { readonly bytes: number; readonly at: number } | undefined {
  const found = statSync(outFile(folder, step), { throwIfNoEntry: false })
  return found && { bytes: found.size, at: found.mtimeMs }
}
