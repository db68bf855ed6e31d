import type { Workflow, WorkflowJob } from '#contract/v2/workflow.ts'

/** What may be done with a workflow: each absent when it may, else the reason why not. */
export interface Refusals {
  readonly cancel: string | undefined
  readonly rerun: string | undefined
  readonly rerunFromFailed: string | undefined
}

const going: readonly Workflow['status'][] = ['running', 'failing', 'on_hold']
const unsuccessful: readonly WorkflowJob['status'][] = [
  'failed',
  'timedout',
  'infrastructure_fail',
  'terminated-unknown',
  'canceled',
  'unauthorized',
]

/** Whether a job ended otherwise than it should. */
export const isUnsuccessful = ({ status }: Pick<WorkflowJob, 'status'>): boolean => unsuccessful.includes(status)

/**
 * Why the buttons of a workflow are off, said before somebody presses them; the service decides all the same.
 * `forbidden`: why the reader may do nothing at all.
 */
export function refusalsOf(
  status: Workflow['status'],
  jobs: readonly Pick<WorkflowJob, 'status'>[],
  forbidden?: string,
): Refusals {
  const running = going.includes(status)
  const unended = forbidden ?? (running ? 'It has not ended yet' : undefined)
  return {
    cancel: forbidden ?? (running ? undefined : 'It has already ended'),
    rerun: unended,
    rerunFromFailed: unended ?? (jobs.some(isUnsuccessful) ? undefined : 'Nothing in it failed'),
  }
}
