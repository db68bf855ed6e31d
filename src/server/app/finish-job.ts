import type { WorkflowId } from '#core/ids.ts'
import type { NodeOutcome } from '#core/nodes.ts'
import { Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import { deleteLease, leaseOf, type LeaseRow } from '#server/store/leases.ts'
import { limitsOf } from '#server/store/limits.ts'
import { closeSteps, type StepRow, stepsOfNode } from '#server/store/steps.ts'
import { lockWorkflow } from '#server/store/workflows.ts'
import { endNode } from './end-node.ts'
import type { JobBodies } from './job-details.ts'
import { keepSteps, type StepState } from './steps.ts'
import { tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** How a job ended, as its agent tells it. */
export interface Ending {
  readonly outcome: NodeOutcome
  readonly reason: string | null
  readonly steps: readonly (StepState & { readonly logCrc: number | null })[]
}

/**
 * Ends a job, or the node of it that the agent had: steps, outcome, what comes next, and the lease, in one transaction.
 * Refused while a log has not arrived whole: the agent goes on from what the refusal says.
 */
export async function finishJob(world: World, bodyOf: JobBodies, lease: LeaseRow, ending: Ending): Promise<void> {
  const job = await jobById(world.db, { id: lease.job_id })
  if (!job) throw new Refusal('not-found', 'Job not found.')
  const body = await bodyOf(job)
  const told: Told[] = []
  await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const stored = await lockWorkflow(tx, lease.workflow_id as WorkflowId)
    const current = stored?.workflow.jobs.find((candidate) => candidate.id === lease.job_id)
    if (!stored || !current) throw new Refusal('not-found', 'Job not found.')
    const held = await leaseOf(tx, { job: lease.job_id, node: lease.node })
    if (held?.fence !== lease.fence) throw new Refusal('conflict', `Cannot finish job ${job.id}: its lease has ended`)
    const kept = new Map(
      (await stepsOfNode(tx, { job: lease.job_id, node: lease.node })).map((step) => [step.position, step]),
    )
    checkLogs(kept, ending)
    // A size that the agent does not know is that of what came.
    await keepSteps(
      tx,
      lease,
      body,
      ending.steps.map((step) => ({ ...step, logSize: kept.get(step.index)?.log_size ?? 0 })),
    )
    const named = new Set(ending.steps.map(({ index }) => index))
    const forgotten = [...kept.values()].some((step) => step.log_state === 'live' && !named.has(step.position))
    if (forgotten) await closeSteps(tx, lease.job_id, lease.node, 'canceled', world.now())
    await deleteLease(tx, { job: lease.job_id, fence: lease.fence })
    const { outcome, reason } = ending
    await endNode(world, tx, stored, current, { node: lease.node, outcome, reason, mayRetry: true }, told)
  })
  tell(world, told)
  // Somebody may have waited for this one to end, with a slot that was free all the time.
  if (await isLimited(world, lease.project_id)) world.bell.ring('queue')
  world.bell.ring(`log:${lease.job_id}`)
  world.bell.ring(`job:${lease.job_id}`)
}

const isLimited = async ({ db }: World, project: string): Promise<boolean> =>
  (await limitsOf(db, { project })).some((limit) => limit.most_running !== null)

function checkLogs(kept: ReadonlyMap<number, StepRow>, ending: Ending): void {
  for (const { index, logSize, logCrc } of ending.steps) {
    const step = kept.get(index)
    const [size, crc] = [step?.log_size ?? 0, step?.log_crc ?? 0]
    if (logSize !== null && logSize !== size) {
      throw new Refusal(
        'conflict',
        `Cannot finish the job as the log of step ${index} must have ${logSize} bytes: it has ${size}`,
        { step: index, offset: size },
      )
    }
    if (logCrc !== null && logCrc !== crc)
      throw new Refusal('conflict', `Cannot finish the job: the log of step ${index} was damaged on its way`, {
        step: index,
        offset: size,
      })
  }
}
