import type { JobStatus, Outcome } from './job.ts'
import type { WorkflowStatus } from './workflow-status.ts'

/*
 * Every word for a status that leaves the service, derived from the words inside. Each table is over a closed union:
 * a new status does not compile until it has its words.
 */

/** The status of a job in generation 2. */
export type JobWord =
  | 'success'
  | 'running'
  | 'not_run'
  | 'failed'
  | 'retried'
  | 'queued'
  | 'not_running'
  | 'infrastructure_fail'
  | 'timedout'
  | 'on_hold'
  | 'terminated-unknown'
  | 'blocked'
  | 'canceled'
  | 'unauthorized'

/** The status of a workflow in generation 2. */
export type WorkflowWord =
  | 'success'
  | 'running'
  | 'not_run'
  | 'failed'
  | 'error'
  | 'failing'
  | 'on_hold'
  | 'canceled'
  | 'unauthorized'

/** What generation 2 calls the status of a job: our words are its words, and this is where they would part. */
export const jobWord: Readonly<Record<JobStatus, JobWord>> = {
  blocked: 'blocked',
  on_hold: 'on_hold',
  queued: 'queued',
  running: 'running',
  not_run: 'not_run',
  retried: 'retried',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  unauthorized: 'unauthorized',
  infrastructure_fail: 'infrastructure_fail',
  timedout: 'timedout',
}

/** What generation 2 calls the status of a workflow. */
export const workflowWord: Readonly<Record<WorkflowStatus, WorkflowWord>> = {
  running: 'running',
  on_hold: 'on_hold',
  failing: 'failing',
  success: 'success',
  failed: 'failed',
  error: 'error',
  canceled: 'canceled',
  unauthorized: 'unauthorized',
  not_run: 'not_run',
}

/** The statuses that a `workflow-completed` event can carry (§6). */
export type WorkflowEventWord = 'success' | 'failed' | 'error' | 'canceled' | 'unauthorized'

/** What a `workflow-completed` event says; nothing where none is sent: it has not ended, or had nothing to run. */
export const workflowEventWord: Readonly<Record<WorkflowStatus, WorkflowEventWord | undefined>> = {
  running: undefined,
  on_hold: undefined,
  failing: undefined,
  not_run: undefined,
  success: 'success',
  failed: 'failed',
  error: 'error',
  canceled: 'canceled',
  unauthorized: 'unauthorized',
}

/** The statuses that a `job-completed` event can carry (§6). */
export type JobEventWord = 'success' | 'failed' | 'canceled' | 'unauthorized'

/** What a `job-completed` event says; nothing of a job that goes on as its retry. */
export const jobEventWord: Readonly<Record<Outcome | 'retried', JobEventWord | undefined>> = {
  success: 'success',
  failed: 'failed',
  timedout: 'failed',
  infrastructure_fail: 'failed',
  canceled: 'canceled',
  unauthorized: 'unauthorized',
  retried: undefined,
}
