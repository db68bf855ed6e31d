import type { JobId, UserId, WorkflowId } from '#core/ids.ts'
import { decide, type Workflow, type WorkflowCommand, type WorkflowEvent } from '#core/workflow.ts'
import { orNotFound } from '#kit/refusal.ts'
import { appendEvents } from '#server/store/events.ts'
import { requestCancel } from '#server/store/leases.ts'
import type { Tx } from '#server/store/schema.ts'
import { lockWorkflow, saveWorkflow, type StoredWorkflow } from '#server/store/workflows.ts'
import { keepPlaces } from './serial-places.ts'
import type { World } from './world.ts'

export const approveJob = (world: World, by: UserId, id: WorkflowId, job: JobId): Promise<Workflow> =>
  command(world, id, { type: 'approve-job', job, by })

export const cancelWorkflow = (world: World, by: UserId, id: WorkflowId): Promise<Workflow> =>
  command(world, id, { type: 'cancel', by })

export const cancelJob = (world: World, by: UserId | undefined, id: WorkflowId, job: JobId): Promise<Workflow> =>
  command(world, id, { type: 'cancel-job', job, ...(by !== undefined && { by }) })

/** Load, decide, keep, tell: the only way in which a workflow changes. */
async function command(world: World, id: WorkflowId, wanted: WorkflowCommand): Promise<Workflow> {
  const told: Told[] = []
  const workflow = await world.db.transaction().execute(async (tx) => {
    told.length = 0
    return change(world, tx, orNotFound(await lockWorkflow(tx, id), 'Workflow'), wanted, told)
  })
  tell(world, told)
  return workflow
}

/** What happened in a transaction, kept until it is durable. */
export interface Told {
  readonly stored: StoredWorkflow
  readonly events: readonly WorkflowEvent[]
  /** Agents that must stop something. */
  readonly agents: readonly string[]
  /** A line before a serial group changed. */
  readonly serial: boolean
}

/** Decides and keeps, inside a transaction that holds the workflow. What must be told is added to `told`; the caller tells it after the commit. */
export async function change(
  world: World,
  tx: Tx,
  before: StoredWorkflow,
  wanted: WorkflowCommand,
  told: Told[],
  reasons?: ReadonlyMap<JobId, string>,
): Promise<Workflow> {
  const { workflow, events } = decide(before.workflow, wanted, world.now())
  if (workflow === before.workflow) return workflow
  await saveWorkflow(tx, before, workflow, reasons)
  await appendEvents(tx, before.row, events, world.newId)
  const serial = await keepPlaces(tx, before.row, before.workflow, workflow)
  const agents: string[] = []
  for (const event of events) {
    if (event.type !== 'job-cancel-requested') continue
    const lease = await requestCancel(tx, { job: event.job })
    if (lease) agents.push(lease.agent_id)
  }
  told.push({ stored: before, events, agents, serial })
  return workflow
}

/** Wakes up whoever a durable change concerns. */
export function tell(world: World, told: readonly Told[]): void {
  const topics = new Set<string>()
  for (const { stored, events, agents, serial } of told) {
    topics
      .add(`workflow:${stored.row.id}`)
      .add(`pipeline:${stored.row.pipeline_id}`)
      .add(`project:${stored.row.project_id}`)
    if (serial) topics.add('serial')
    for (const agent of agents) topics.add(`agent:${agent}`)
    for (const event of events) {
      if ('job' in event) topics.add(`job:${event.job}`)
      if (event.type === 'job-queued') topics.add('queue')
      if (event.type === 'job-completed' || event.type === 'workflow-completed') topics.add('events')
    }
  }
  for (const topic of topics) world.bell.ring(topic)
}
