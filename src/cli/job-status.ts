import type { WorkflowJob } from '#contract/v2/workflow.ts'

/** Whether a job of this status will not change any more. */
export const isEnded = (status: WorkflowJob['status']): boolean => ended.has(status)

const ended: ReadonlySet<WorkflowJob['status']> = new Set([
  'success',
  'not_run',
  'failed',
  'retried',
  'infrastructure_fail',
  'timedout',
  'terminated-unknown',
  'canceled',
  'unauthorized',
])
