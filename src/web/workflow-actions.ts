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

/** Why the buttons of a workflow are off, said before somebody presses them; the service decides all the same. */
export function refusalsOf(status: Workflow['status'], jobs: readonly Pick<WorkflowJob, 'status'>[]): Refusals {
  const running = going.includes(status)
  const unended = running ? 'It has not ended yet' : undefined
  return {
    cancel: running ? undefined : 'It has already ended',
    rerun: unended,
    rerunFromFailed:
      unended ?? (jobs.some((job) => unsuccessful.includes(job.status)) ? undefined : 'Nothing in it failed'),
  }
}
