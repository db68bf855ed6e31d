import { assertNever, type Instant } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import type { JobId, UserId, WorkflowId } from './ids.ts'
import { downstreamOf } from './job-graph.ts'
import { isOver, type Job, type JobStatus, type Outcome } from './job.ts'
import { release } from './release.ts'
import { isTerminal, statusOf, type WorkflowStatus } from './workflow-status.ts'

/** The jobs that one pipeline runs together, and what became of them. */
export interface Workflow {
  readonly id: WorkflowId
  readonly name: string
  readonly status: WorkflowStatus
  readonly createdAt: Instant
  readonly stoppedAt?: Instant
  readonly canceledBy?: UserId
  /** In dependency order: a job stands after everything it needs. */
  readonly jobs: readonly Job[]
}

/** A job that may not use its contexts, and why. */
export interface Denial {
  readonly job: JobId
  readonly reason: string
}

/** Everything that can be done to a workflow. */
export type WorkflowCommand =
  | { readonly type: 'begin' }
  | { readonly type: 'start-job'; readonly job: JobId }
  /** The lease was lost before the first step of the user: as if it had never started. */
  | { readonly type: 'requeue-job'; readonly job: JobId }
  /** With `retryAs`, a job that ended in `infrastructure_fail` is tried again as a new job of that id. */
  | { readonly type: 'finish-job'; readonly job: JobId; readonly outcome: Outcome; readonly retryAs?: JobId }
  /** `denied`, where given, says anew which of the jobs after the approval may not use their contexts: the approver answers for them. */
  | { readonly type: 'approve-job'; readonly job: JobId; readonly by: UserId; readonly denied?: readonly Denial[] }
  /** The turn of a lock has come: its serial group is free. */
  | { readonly type: 'take-lock'; readonly job: JobId }
  /** A lock came after one of a newer pipeline: it, and what needs it, is not run. */
  | { readonly type: 'skip-lock'; readonly job: JobId }
  | { readonly type: 'cancel'; readonly by?: UserId }
  | { readonly type: 'cancel-job'; readonly job: JobId; readonly by?: UserId }

/** What the world should be told about a workflow. `job-completed` is told of builds only. */
export type WorkflowEvent =
  | { readonly type: 'job-queued'; readonly job: JobId; readonly at: Instant }
  | { readonly type: 'job-started'; readonly job: JobId; readonly at: Instant }
  | { readonly type: 'job-cancel-requested'; readonly job: JobId; readonly at: Instant }
  | { readonly type: 'job-completed'; readonly job: JobId; readonly status: Outcome | 'retried'; readonly at: Instant }
  | { readonly type: 'workflow-completed'; readonly status: WorkflowStatus; readonly at: Instant }

/** A workflow after a command, and what to tell. A command that changes nothing gives back the very same workflow. */
export interface Decision {
  readonly workflow: Workflow
  readonly events: readonly WorkflowEvent[]
}

/**
 * The whole life of a workflow: what a command makes of it, and what the world should be told.
 * Pure: the caller brings the time, keeps the result and publishes the events.
 */
export function decide(before: Workflow, command: WorkflowCommand, at: Instant): Decision {
  const commanded = obey(before, command, at)
  const jobs = release(commanded, at)
  const status = isTerminal(before.status) ? before.status : statusOf(jobs, command.type === 'cancel')
  if (jobs === before.jobs && status === before.status) return { workflow: before, events: [] }
  const workflow: Workflow = {
    ...before,
    jobs,
    status,
    ...(isTerminal(status) && !isTerminal(before.status) && { stoppedAt: at }),
    ...(command.type === 'cancel' && command.by !== undefined && { canceledBy: command.by }),
  }
  return { workflow, events: eventsBetween(before, workflow, at) }
}

/** The jobs as the command leaves them; the same array where it has nothing to do, as on the second time. */
function obey(workflow: Workflow, command: WorkflowCommand, at: Instant): readonly Job[] {
  switch (command.type) {
    case 'begin':
      return workflow.jobs
    case 'start-job':
      return change(workflow, command.job, ['queued'], (job) => ({ ...job, status: 'running', startedAt: at }))
    case 'requeue-job':
      return isOver(jobOf(workflow, command.job).status)
        ? workflow.jobs
        : change(workflow, command.job, ['running'], unstarted)
    case 'finish-job':
      return finish(workflow, command, at)
    case 'approve-job':
      return approve(workflow, command, at)
    case 'take-lock':
      return change(workflow, command.job, ['queued'], (job) => ({
        ...job,
        status: 'success',
        startedAt: at,
        stoppedAt: at,
      }))
    case 'skip-lock':
      return change(workflow, command.job, ['queued'], (job) => ({ ...job, status: 'not_run' }))
    case 'cancel':
      return isTerminal(workflow.status) ? workflow.jobs : workflow.jobs.map((job) => canceled(job, command.by, at))
    case 'cancel-job':
      return isOver(jobOf(workflow, command.job).status)
        ? workflow.jobs
        : change(workflow, command.job, cancelable, (job) => canceled(job, command.by, at))
    default:
      return assertNever(command)
  }
}

/** It keeps its place in the queue: `queuedAt` stays. */
function unstarted(job: Job): Job {
  const { startedAt: _, ...rest } = job
  return { ...rest, status: 'queued' }
}

type Finish = Extract<WorkflowCommand, { type: 'finish-job' }>

function finish(workflow: Workflow, { job: id, outcome, retryAs }: Finish, at: Instant): readonly Job[] {
  // An agent may say it twice, or say it after a cancel: what has ended keeps its ending.
  if (isOver(jobOf(workflow, id).status)) return workflow.jobs
  const jobs = change(workflow, id, endable[outcome], (job) => ({ ...job, status: outcome, stoppedAt: at }))
  return retryAs !== undefined && outcome === 'infrastructure_fail' ? replace(jobs, id, retryAs) : jobs
}

/** A job that never started can only have been refused or impossible to start. */
const endable: Readonly<Record<Outcome, readonly JobStatus[]>> = {
  success: ['running'],
  failed: ['running'],
  timedout: ['running'],
  canceled: ['running', 'queued'],
  unauthorized: ['running', 'queued'],
  infrastructure_fail: ['running', 'queued'],
}

/** Puts a new job right after the one it retries, so that the order stays a dependency order. */
function replace(jobs: readonly Job[], old: JobId, id: JobId): readonly Job[] {
  return jobs.flatMap((job): readonly Job[] => {
    if (job.id === old) {
      const { startedAt: _started, stoppedAt: _stopped, queuedAt: _queued, ...rest } = job
      return [
        { ...job, status: 'retried' },
        { ...rest, id, status: 'blocked', attempt: job.attempt + 1, retryOf: old },
      ]
    }
    const needs = job.needs.map((need) => (need.job === old ? { ...need, job: id } : need))
    return [needs.every((need, index) => need === job.needs[index]) ? job : { ...job, needs }]
  })
}

type Approve = Extract<WorkflowCommand, { type: 'approve-job' }>

function approve(workflow: Workflow, { job: id, by, denied }: Approve, at: Instant): readonly Job[] {
  const jobs = change(workflow, id, ['on_hold'], (job) => ({
    ...job,
    status: 'success',
    approvedBy: by,
    stoppedAt: at,
  }))
  if (denied === undefined) return jobs
  const reasons = new Map(denied.map((denial) => [denial.job, denial.reason]))
  const after = downstreamOf(jobs, [id])
  return jobs.map((job) => {
    if (!after.has(job.id) || job.status !== 'blocked') return job
    const { denied: _, ...rest } = job
    const reason = reasons.get(job.id)
    return reason === undefined ? rest : { ...rest, denied: reason }
  })
}

const cancelable: readonly JobStatus[] = ['blocked', 'on_hold', 'queued', 'running']

function canceled(job: Job, by: UserId | undefined, at: Instant): Job {
  if (isOver(job.status)) return job
  return { ...job, status: 'canceled', stoppedAt: at, ...(by !== undefined && { canceledBy: by }) }
}

function jobOf(workflow: Workflow, id: JobId): Job {
  const job = workflow.jobs.find((candidate) => candidate.id === id)
  if (!job) throw new Refusal('not-found', 'Job not found.', { workflow: workflow.id, job: id })
  return job
}

function change(workflow: Workflow, id: JobId, from: readonly JobStatus[], to: (job: Job) => Job): readonly Job[] {
  const { status } = jobOf(workflow, id)
  if (!from.includes(status)) {
    throw new Refusal('conflict', `Cannot change job ${id} as it must be ${from.join(' or ')}: it is ${status}`)
  }
  return workflow.jobs.map((job) => (job.id === id ? to(job) : job))
}

/** The only producer of events: the difference between before and after, so that no command can forget one. */
function eventsBetween(before: Workflow, after: Workflow, at: Instant): readonly WorkflowEvent[] {
  const old = new Map(before.jobs.map((job) => [job.id, job.status]))
  const events = after.jobs.flatMap((job) => {
    const was = old.get(job.id)
    return was === job.status ? [] : eventsOf(job, was, at)
  })
  return isTerminal(after.status) && !isTerminal(before.status)
    ? [...events, { type: 'workflow-completed', status: after.status, at }]
    : events
}

function eventsOf(job: Job, was: JobStatus | undefined, at: Instant): readonly WorkflowEvent[] {
  switch (job.status) {
    case 'queued':
      return job.kind === 'build' ? [{ type: 'job-queued', job: job.id, at }] : []
    case 'running':
      return [{ type: 'job-started', job: job.id, at }]
    case 'canceled':
      return [
        ...(was === 'running' ? [{ type: 'job-cancel-requested', job: job.id, at } as const] : []),
        ...completed(job, job.status, at),
      ]
    case 'retried':
    case 'success':
    case 'failed':
    case 'unauthorized':
    case 'infrastructure_fail':
    case 'timedout':
      return completed(job, job.status, at)
    case 'blocked':
    case 'on_hold':
    case 'not_run':
      return []
    default:
      return assertNever(job.status)
  }
}

const completed = (job: Job, status: Outcome | 'retried', at: Instant): readonly WorkflowEvent[] =>
  job.kind === 'build' ? [{ type: 'job-completed', job: job.id, status, at }] : []
