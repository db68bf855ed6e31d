import type { Instant } from '#kit/brand.ts'
import type { JobId, UserId } from './ids.ts'
import type { ExecutorKind } from './demand.ts'
import type { Ending, PlannedJob } from './plan.ts'

/** How a job that was released can end. */
export type Outcome = 'success' | 'failed' | 'canceled' | 'unauthorized' | 'infrastructure_fail' | 'timedout'

/** Where a job stands. `retried`: it ended in `infrastructure_fail`, and another job took its place. */
export type JobStatus = 'blocked' | 'on_hold' | 'queued' | 'running' | 'not_run' | 'retried' | Outcome

/** What a job is: only a `build` is run by an agent. */
export type JobKind = PlannedJob['kind']

/** A job that must have ended, and the endings that will do. */
export interface Need {
  readonly job: JobId
  readonly on: readonly Ending[]
}

/** One job of a workflow, as far as the rules of workflows are concerned: what it does is in its plan. */
export interface Job {
  readonly id: JobId
  /** Unique among the jobs of its workflow that are not `retried`. */
  readonly name: string
  readonly kind: JobKind
  readonly needs: readonly Need[]
  readonly resourceClass: string
  /** What an agent must have to run it. */
  readonly executor: ExecutorKind
  /** On how many nodes it runs. */
  readonly parallelism: number
  readonly contexts: readonly string[]
  /** The serial group, of `lock` and `unlock`. */
  readonly key?: string
  readonly status: JobStatus
  /** From 1; an automatic retry counts one up. */
  readonly attempt: number
  /** The job that this one was automatically made to replace. */
  readonly retryOf?: JobId
  /** The job of an earlier workflow that ran in its place: where its artifacts, tests and workspace are. */
  readonly reusedFrom?: JobId
  /** Why it may not use its contexts: released, it becomes `unauthorized` instead of `queued`. */
  readonly denied?: string
  readonly queuedAt?: Instant
  readonly startedAt?: Instant
  readonly stoppedAt?: Instant
  readonly approvedBy?: UserId
  readonly canceledBy?: UserId
}

const over: Readonly<Record<JobStatus, boolean>> = {
  blocked: false,
  on_hold: false,
  queued: false,
  running: false,
  not_run: true,
  retried: true,
  success: true,
  failed: true,
  canceled: true,
  unauthorized: true,
  infrastructure_fail: true,
  timedout: true,
}

/** Whether a job waits for an agent. A lock waits too, but for its serial group. */
export const isForAgents = (job: Job): boolean => job.status === 'queued' && job.kind === 'build'

/** Whether a job has become a build with a number: it was queued, or it was refused what it asked for, which is told as an end (§6). */
export const isNumbered = (job: Job): boolean =>
  isForAgents(job) || (job.kind === 'build' && job.status === 'unauthorized')

/** Whether nothing can change a job of this status any more. */
export const isOver = (status: JobStatus): boolean => over[status]

/** How a job ended for those that need it; nothing while it has not, or while its retry has not. */
export const endingOf: Readonly<Record<JobStatus, Ending | undefined>> = {
  blocked: undefined,
  on_hold: undefined,
  queued: undefined,
  running: undefined,
  retried: undefined,
  not_run: 'not_run',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  unauthorized: 'unauthorized',
  infrastructure_fail: 'failed',
  timedout: 'failed',
}
