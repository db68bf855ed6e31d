import type { JobId, UserId, WorkflowId } from '#core/ids.ts'
import { decide, type Workflow, type WorkflowCommand, type WorkflowEvent } from '#core/workflow.ts'
import { orNotFound } from '#kit/refusal.ts'
import { appendEvents } from '#server/store/events.ts'
import { requestCancel } from '#server/store/leases.ts'
import type { Tx } from '#server/store/schema.ts'
import { lockWorkflow, saveWorkflow, type StoredWorkflow } from '#server/store/workflows.ts'
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
  /** What else is to be looked at again, where no event says it. */
  readonly topics?: readonly string[]
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
  const agents: string[] = []
  for (const event of events) {
    // A job of several nodes may end before all of them have.
    const isOpen = event.type === 'job-completed' && nodesIn(before, event.job) > 1
    if (event.type !== 'job-cancel-requested' && !isOpen) continue
    for (const lease of await requestCancel(tx, { job: event.job })) agents.push(lease.agent_id)
  }
  told.push({ stored: before, events, agents })
  return workflow
}

const nodesIn = ({ workflow }: StoredWorkflow, id: JobId): number =>
  workflow.jobs.find((job) => job.id === id)?.parallelism ?? 1

/** Wakes up whoever a durable change concerns. */
export function tell(world: World, told: readonly Told[]): void {
  const topics = new Set<string>()
  for (const { stored, events, agents, topics: others = [] } of told) {
    topics
      .add(`workflow:${stored.row.id}`)
      .add(`pipeline:${stored.row.pipeline_id}`)
      .add(`project:${stored.row.project_id}`)
    for (const topic of others) topics.add(topic)
    for (const agent of agents) topics.add(`agent:${agent}`)
    for (const event of events) {
      if ('job' in event) topics.add(`job:${event.job}`)
      if (event.type === 'job-queued') topics.add('queue')
      if (event.type === 'job-completed' || event.type === 'workflow-completed') topics.add('events')
    }
  }
  for (const topic of topics) world.bell.ring(topic)
}
