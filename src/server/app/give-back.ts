import type { WorkflowId } from '#core/ids.ts'
import { deleteLease } from '#server/store/leases.ts'
import { lockWorkflow } from '#server/store/workflows.ts'
import type { Claimed } from './assignments.ts'
import { endNode } from './end-node.ts'
import { tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** Ends a job that was claimed but cannot be handed over, with the reason. */
export async function giveBack(world: World, { job, node, fence }: Claimed, error: unknown): Promise<void> {
  world.log.error('A job cannot be handed over', {
    job: job.id,
    error: error instanceof Error ? error.stack : String(error),
  })
  const told: Told[] = []
  await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const stored = await lockWorkflow(tx, job.workflow_id as WorkflowId)
    const current = stored?.workflow.jobs.find((candidate) => candidate.id === job.id)
    if (!stored || !current || !(await deleteLease(tx, { job: job.id, fence }))) return
    const reason = 'The job could not be prepared for an agent'
    // Whatever is wrong with it is wrong with its retry too.
    await endNode(world, tx, stored, current, { node, outcome: 'infrastructure_fail', reason, mayRetry: false }, told)
  })
  tell(world, told)
}
