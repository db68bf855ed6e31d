import type { Job, JobStatus } from './job.ts'

/** Where a workflow stands, derived from its jobs. */
export type WorkflowStatus =
  | 'running'
  | 'on_hold'
  | 'failing'
  | 'success'
  | 'failed'
  | 'error'
  | 'canceled'
  | 'unauthorized'
  | 'not_run'

const terminal: Readonly<Record<WorkflowStatus, boolean>> = {
  running: false,
  on_hold: false,
  failing: false,
  success: true,
  failed: true,
  error: true,
  canceled: true,
  unauthorized: true,
  not_run: true,
}

/** Whether a workflow of this status has ended for good. */
export const isTerminal = (status: WorkflowStatus): boolean => terminal[status]

/**
 * What the jobs of a workflow make of it. `stopped`: it was canceled as a whole, which outweighs what had failed before.
 */
export function statusOf(jobs: readonly Job[], stopped = false): WorkflowStatus {
  const has = (...statuses: readonly JobStatus[]) => jobs.some((job) => statuses.includes(job.status))
  const failed = has('failed', 'timedout', 'infrastructure_fail')
  const spoiled = failed || has('unauthorized')
  if (has('queued', 'running')) return spoiled ? 'failing' : 'running'
  if (has('on_hold')) return spoiled ? 'failing' : 'on_hold'
  if (has('blocked')) return 'running'
  if (stopped && has('canceled')) return 'canceled'
  if (has('unauthorized')) return 'unauthorized'
  if (jobs.some(couldNotStart)) return 'error'
  if (failed) return 'failed'
  if (has('canceled')) return 'canceled'
  return has('success') ? 'success' : 'not_run'
}

/** Nobody's code failed: the service itself could not start the job. */
const couldNotStart = (job: Job) => job.status === 'infrastructure_fail' && job.startedAt === undefined

/** From what most wants attention to what least does. */
const gravity: readonly WorkflowStatus[] = [
  'error',
  'unauthorized',
  'failed',
  'failing',
  'on_hold',
  'running',
  'canceled',
  'success',
  'not_run',
]

/** Of several workflows, the status that most wants attention; nothing where there are none. */
export const worstOf = (statuses: readonly WorkflowStatus[]): WorkflowStatus | undefined =>
  gravity.find((status) => statuses.includes(status))
