import type { JobId, UserId, WorkflowId } from '#core/ids.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { approvedGateOf, pipelineById, type PipelineRow, workflowsOf } from '#server/store/pipelines.ts'
import type { Db } from '#server/store/schema.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import { approveJob, cancelWorkflow } from './workflows.ts'
import type { World } from './world.ts'

/**
 * Approves of the code of a fork: of the very commit that was looked at, and no other. A push that came meanwhile has made another
 * pipeline, which waits for its own approval. Says how many workflows went on.
 */
export async function approveFork(world: World, by: UserId, id: string, revision: string): Promise<number> {
  const gates = await gatesFor(world, id, revision)
  for (const { workflow, gate } of gates) await approveJob(world, by, workflow, gate)
  return gates.length
}

/** Rejects the code of a fork, bound to its commit in the same way: what waits behind a gate is canceled. Says how many workflows that were. */
export async function rejectFork(world: World, by: UserId, id: string, revision: string): Promise<number> {
  const gates = await gatesFor(world, id, revision)
  for (const { workflow } of gates) await cancelWorkflow(world, by, workflow)
  return gates.length
}

async function gatesFor(world: World, id: string, revision: string) {
  const pipeline = orNotFound(await pipelineById(world.db, { id }), 'Pipeline')
  if (pipeline.revision !== revision)
    throw new Refusal('conflict', `Cannot decide about commit ${revision}: the pipeline builds ${pipeline.revision}`)
  if (pipeline.needs_approval !== 1)
    throw new Refusal('conflict', 'Cannot decide about the pipeline as it must be waiting for that: it does not')
  return closedGates(world.db, id)
}

/** The gates of a pipeline that nobody has opened yet, with their workflows. */
async function closedGates(db: Db, pipeline: string) {
  const gates: { readonly workflow: WorkflowId; readonly gate: JobId }[] = []
  for (const { id } of await workflowsOf(db, { pipeline })) {
    const gate = (await findWorkflow(db, id as WorkflowId))?.workflow.jobs[0]
    if (gate?.kind === 'approval' && gate.status === 'on_hold')
      gates.push({ workflow: id as WorkflowId, gate: gate.id as JobId })
  }
  return gates
}

/** Whether the code of a fork may run: no approval is needed, it waits for one, has one, or ended without. */
export type Approval = 'not-needed' | 'waiting' | 'approved' | 'ended'

/** Whether the commit of a pipeline may run. */
export async function approvalOf({ db }: World, pipeline: PipelineRow): Promise<Approval> {
  if (pipeline.needs_approval !== 1) return 'not-needed'
  if ((await closedGates(db, pipeline.id)).length > 0) return 'waiting'
  return (await approvedGateOf(db, { pipeline: pipeline.id })) ? 'approved' : 'ended'
}

/** Refuses to run anything again of a commit that nobody approved of: a rerun of some jobs would go around their gate. */
export async function checkApproved(db: Db, pipeline: PipelineRow): Promise<void> {
  if (pipeline.needs_approval === 1 && !(await approvedGateOf(db, { pipeline: pipeline.id })))
    throw new Refusal('conflict', 'Cannot run this again as its commit must have been approved: it was not')
}
