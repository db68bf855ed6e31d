import { jobById } from '#server/store/jobs.ts'
import { isOver, type JobStatus } from '#core/job.ts'
import { nodesOf } from '#server/store/nodes.ts'
import { stepsOf, type StepRow } from '#server/store/steps.ts'
import type { JobRow } from '#server/store/workflows.ts'
import type { App } from './app.ts'

export type { StepRow }

/** The numbers of the jobs that others stand for. */
export async function numbersOfReused({ world }: App, jobs: readonly JobRow[]): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  for (const { reused_from: from } of jobs) {
    const job = from === null ? undefined : await jobById(world.db, { id: from })
    if (job?.number != null) numbers.set(job.id, job.number)
  }
  return numbers
}

/** The steps of a job, or of the job it stands for, as far as they have begun. */
export const stepsFor = ({ world }: App, job: JobRow): Promise<StepRow[]> =>
  stepsOf(world.db, job.reused_from ?? job.id)

/** One node of a job, as it stands. */
export interface NodeState {
  readonly index: number
  readonly status: JobStatus
  readonly startedAt: string | null
  readonly stoppedAt: string | null
}

/** The nodes of a job, or of the job it stands for, in order. One that had not ended when the job did shares its end. */
export async function nodesFor({ world }: App, job: JobRow): Promise<readonly NodeState[]> {
  const status = job.status as JobStatus
  const whole = { status, startedAt: job.started_at, stoppedAt: job.stopped_at }
  const rows = job.parallelism === 1 ? [] : await nodesOf(world.db, { job: job.reused_from ?? job.id })
  const known = new Map(rows.map((row) => [row.node, row]))
  return Array.from({ length: job.parallelism }, (_, index) => {
    const row = known.get(index)
    if (!row) return { index, ...whole }
    const isLeft = row.stopped_at === null && isOver(status)
    return {
      index,
      status: isLeft ? status : (row.status as JobStatus),
      startedAt: row.started_at,
      stoppedAt: row.stopped_at ?? (isLeft ? job.stopped_at : null),
    }
  })
}
