import type { Job, JobStatus } from './job.ts'
import { isTerminal, type WorkflowStatus } from './workflow-status.ts'
import type { Workflow } from './workflow.ts'

/** How a commit stands, in one context; providers have fewer words, or others. */
export type CommitWord = 'pending' | 'running' | 'success' | 'failure' | 'error'

/** What a provider is told in one context. */
export interface Said {
  readonly status: CommitWord
  readonly words: string
}

/** Something to tell: of a job, or of the workflow itself. */
export interface SaidOf extends Said {
  readonly job?: Job
}

const workflows: Readonly<Record<WorkflowStatus, Said>> = {
  running: { status: 'running', words: 'The workflow is running' },
  failing: { status: 'running', words: 'The workflow is running, and something in it has failed' },
  on_hold: { status: 'pending', words: 'The workflow waits for approval' },
  success: { status: 'success', words: 'The workflow ended: success' },
  failed: { status: 'failure', words: 'The workflow ended: failed' },
  error: { status: 'error', words: 'The workflow ended: error' },
  canceled: { status: 'error', words: 'The workflow ended: canceled' },
  unauthorized: { status: 'failure', words: 'The workflow ended: unauthorized' },
  not_run: { status: 'success', words: 'The workflow had nothing to run' },
}

/** Of jobs that wait for others nothing is said, and of those that are not run only when all is over. */
const jobs: Readonly<Record<JobStatus, Said | undefined>> = {
  blocked: undefined,
  not_run: undefined,
  retried: undefined,
  on_hold: { status: 'pending', words: 'The job waits for approval' },
  queued: { status: 'pending', words: 'The job is queued' },
  running: { status: 'running', words: 'The job is running' },
  success: { status: 'success', words: 'The job ended: success' },
  failed: { status: 'failure', words: 'The job ended: failed' },
  timedout: { status: 'failure', words: 'The job ended: timed out' },
  unauthorized: { status: 'failure', words: 'The job ended: unauthorized' },
  infrastructure_fail: { status: 'error', words: 'The job ended: its machine was lost' },
  canceled: { status: 'error', words: 'The job ended: canceled' },
}

const notRun: Said = { status: 'error', words: 'The job was not run' }

/** Locks of serial groups are nobody's work. */
const isTold = ({ kind }: Job): boolean => kind === 'build' || kind === 'approval'

const jobSaid = (job: Job | undefined): Said | undefined => {
  if (!job) return undefined
  if (job.kind === 'approval' && job.status === 'success') return { status: 'success', words: 'The job was approved' }
  return jobs[job.status]
}

/**
 * What is new to tell after a workflow came from one state to another, or began. A job that was not run is told as such where the
 * workflow did not succeed; where it did, the job was only for other endings, and a commit that is well must not look as if it were not.
 */
export function saidBetween(before: Workflow | undefined, after: Workflow): readonly SaidOf[] {
  const old = new Map(before?.jobs.map((job) => [job.id, job]))
  const ofJobs = after.jobs.filter(isTold).flatMap((job): readonly SaidOf[] => {
    const said = jobSaid(job)
    return said && said.words !== jobSaid(old.get(job.id))?.words ? [{ ...said, job }] : []
  })
  const hasEnded = isTerminal(after.status) && (before === undefined || !isTerminal(before.status))
  const unrun =
    hasEnded && after.status !== 'success' && after.status !== 'not_run'
      ? after.jobs.filter((job) => isTold(job) && job.status === 'not_run').map((job) => ({ ...notRun, job }))
      : []
  const isNew = before === undefined || workflows[before.status].words !== workflows[after.status].words
  return [...ofJobs, ...unrun, ...(isNew ? [workflows[after.status]] : [])]
}
