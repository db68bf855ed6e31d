import type { Instant } from '#kit/brand.ts'
import type { JobId, UserId, WorkflowId } from './ids.ts'
import type { Job, JobKind, JobStatus, Need, Outcome } from './job.ts'
import { newWorkflow } from './new-workflow.ts'
import type { Ending } from './plan.ts'
import { decide, type Workflow, type WorkflowCommand, type WorkflowEvent } from './workflow.ts'

/*
 * The tiny language in which tests tell the life of a workflow:
 * `workflow('build', 'gate?: build', 'deploy!: gate', 'join~: build', 'notify: build=failed|canceled')` has a job that waits for a person (?),
 * one that may not use its contexts (!), one that does nothing (~), and one that runs when another ends badly. Ids are names.
 * `'in[prod', 'deploy: in', 'out]prod: deploy=success|failed'` locks the serial group prod and unlocks it.
 */

/** When everything happens. */
export const noon = '2026-01-02T12:00:00.000Z' as Instant
/** Who does everything. */
export const ada = 'ada' as UserId
/** The id of a job is its name. */
export const jobId = (name: string): JobId => name as JobId

/** A workflow that has not begun, told in one line for each job. */
export const workflow = (...lines: readonly string[]): Workflow =>
  newWorkflow('w' as WorkflowId, 'main', lines.map(job), noon)

const kinds: Readonly<Record<string, JobKind>> = { '?': 'approval', '~': 'no-op', '[': 'lock', ']': 'unlock' }

function job(line: string): Job {
  const [title = '', needs = ''] = line.split(':').map((part) => part.trim())
  const [, name = '', mark = '', key = ''] = /^([^?!~[\]]+)([?!~[\]]?)(.*)$/.exec(title) ?? []
  return {
    id: jobId(name),
    name,
    kind: kinds[mark] ?? 'build',
    needs: needs.split(' ').filter(Boolean).map(need),
    resourceClass: 'medium',
    executor: 'machine',
    parallelism: 1,
    contexts: [],
    status: 'blocked',
    attempt: 1,
    ...(mark === '!' && { denied: 'it may not' }),
    ...(key !== '' && { key }),
  }
}

function need(text: string): Need {
  const [name = '', on = 'success'] = text.split('=')
  return { job: jobId(name), on: on.split('|') as Ending[] }
}

/** Lets go of everything that waits for nobody. */
export const begin: WorkflowCommand = { type: 'begin' }
/** An agent takes a job. */
export const starts = (name: string): WorkflowCommand => ({ type: 'start-job', job: jobId(name) })
/** An agent lost a job before it had done anything. */
export const requeues = (name: string): WorkflowCommand => ({ type: 'requeue-job', job: jobId(name) })
/** An agent is done with a job. */
export const ends = (name: string, outcome: Outcome): WorkflowCommand => ({
  type: 'finish-job',
  job: jobId(name),
  outcome,
})
/** A machine is lost, and the job is tried again under another id. */
export const retries = (name: string, as: string): WorkflowCommand => ({
  type: 'finish-job',
  job: jobId(name),
  outcome: 'infrastructure_fail',
  retryAs: jobId(as),
})
/** The turn of a lock has come. */
export const takes = (name: string): WorkflowCommand => ({ type: 'take-lock', job: jobId(name) })
/** A lock came too late. */
export const skips = (name: string): WorkflowCommand => ({ type: 'skip-lock', job: jobId(name) })
/** Ada says yes. */
export const approves = (name: string): WorkflowCommand => ({ type: 'approve-job', job: jobId(name), by: ada })
/** Ada stops one job. */
export const cancels = (name: string): WorkflowCommand => ({ type: 'cancel-job', job: jobId(name), by: ada })
/** Ada stops everything. */
export const cancel: WorkflowCommand = { type: 'cancel', by: ada }

/** What became of a workflow, in words short enough to compare. */
export interface Played {
  readonly workflow: Workflow
  readonly status: Workflow['status']
  readonly jobs: Readonly<Record<string, JobStatus>>
  /** Every event, in order: `job-completed build failed`. */
  readonly story: readonly string[]
}

/** Gives a workflow some commands, one after the other. */
export function play(start: Workflow, ...commands: readonly WorkflowCommand[]): Played {
  let now = start
  const story: string[] = []
  for (const command of commands) {
    const decision = decide(now, command, noon)
    now = decision.workflow
    story.push(...decision.events.map(told))
  }
  return {
    workflow: now,
    status: now.status,
    jobs: Object.fromEntries(now.jobs.map((one) => [one.id, one.status])),
    story,
  }
}

const told = (event: WorkflowEvent): string =>
  [event.type, 'job' in event && event.job, 'status' in event && event.status].filter(Boolean).join(' ')
