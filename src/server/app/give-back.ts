import type { JobId, WorkflowId } from '#core/ids.ts'
import { deleteLease } from '#server/store/leases.ts'
import { lockWorkflow } from '#server/store/workflows.ts'
import type { Claimed } from './assignments.ts'
import { change, tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** Ends a job that was claimed but cannot be handed over, with the reason. */
export async function giveBack(world: World, { job, fence }: Claimed, error: unknown): Promise<void> {
  world.log.error('A job cannot be handed over', {
    job: job.id,
    error: error instanceof Error ? error.stack : String(error),
  })
  const told: Told[] = []
  await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const stored = await lockWorkflow(tx, job.workflow_id as WorkflowId)
    if (!stored || !(await deleteLease(tx, { job: job.id, fence }))) return
    const reasons = new Map([[job.id as JobId, 'The job could not be prepared for an agent']])
    await change(
      world,
      tx,
      stored,
      { type: 'finish-job', job: job.id as JobId, outcome: 'infrastructure_fail' },
      told,
      reasons,
    )
  })
  tell(world, told)
}
