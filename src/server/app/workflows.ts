import type { JobId, UserId, WorkflowId } from '#core/ids.ts'
import { downstreamOf } from '#core/job-graph.ts'
import { decide, type Denial, type Workflow, type WorkflowCommand, type WorkflowEvent } from '#core/workflow.ts'
import { orNotFound } from '#kit/refusal.ts'
import { appendEvents } from '#server/store/events.ts'
import { requestCancel } from '#server/store/leases.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { projectById } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { lockWorkflow, saveWorkflow, type StoredWorkflow } from '#server/store/workflows.ts'
import { keepPlaces } from './serial-places.ts'
import { countCompletions } from './completions.ts'
import { denials } from './context-use.ts'
import { keepStatuses } from './keep-statuses.ts'
import { recordFacts } from './record-facts.ts'
import type { World } from './world.ts'

/** Approves a job on hold. From there on the approver answers for the contexts of what follows. */
export const approveJob = (world: World, by: UserId, id: WorkflowId, job: JobId): Promise<Workflow> =>
  command(world, id, async (tx, stored) => ({
    type: 'approve-job',
    job,
    by,
    denied: await denialsAfter(world, tx, stored, job, by),
  }))

async function denialsAfter(
  world: World,
  tx: Tx,
  { row, workflow }: StoredWorkflow,
  approval: JobId,
  actor: UserId,
): Promise<readonly Denial[]> {
  const after = downstreamOf(workflow.jobs, [approval])
  const jobs = workflow.jobs.filter((job) => after.has(job.id) && job.contexts.length > 0)
  if (jobs.length === 0) return []
  const project = orNotFound(await projectById(tx, { id: row.project_id }), 'Project')
  const pipeline = orNotFound(await pipelineById(tx, { id: row.pipeline_id }), 'Pipeline')
  const wanted = jobs.flatMap(({ contexts }) => contexts)
  const denialOf = await denials(world, tx, { project, pipeline, actor }, wanted)
  return jobs.flatMap((job) => {
    const reason = denialOf(job)
    return reason === undefined ? [] : [{ job: job.id, reason }]
  })
}

/** Cancels a workflow; nobody's name: the service itself. */
export const cancelWorkflow = (world: World, by: UserId | undefined, id: WorkflowId): Promise<Workflow> =>
  command(world, id, async () => ({ type: 'cancel', ...(by !== undefined && { by }) }))

export const cancelJob = (world: World, by: UserId | undefined, id: WorkflowId, job: JobId): Promise<Workflow> =>
  command(world, id, async () => ({ type: 'cancel-job', job, ...(by !== undefined && { by }) }))

/** Load, decide, keep, tell: the only way in which a workflow changes. */
async function command(
  world: World,
  id: WorkflowId,
  wish: (tx: Tx, stored: StoredWorkflow) => Promise<WorkflowCommand>,
): Promise<Workflow> {
  const told: Told[] = []
  const workflow = await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const stored = orNotFound(await lockWorkflow(tx, id), 'Workflow')
    return change(world, tx, stored, await wish(tx, stored), told)
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
  readonly serial?: boolean
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
  const { project_id, pipeline_id, name } = before.row
  await recordFacts(world, tx, { project_id, name, branch: before.jobs[0]?.branch ?? null }, workflow, events)
  const serial = await keepPlaces(tx, before.row, before.workflow, workflow)
  const states = { before: before.workflow, after: workflow }
  const says = await keepStatuses(world, tx, {
    project: project_id,
    pipeline: pipeline_id,
    ...states,
    rows: before.jobs,
  })
  const agents: string[] = []
  for (const event of events) {
    // A job of several nodes may end before all of them have.
    const isOpen = event.type === 'job-completed' && nodesIn(before, event.job) > 1
    if (event.type !== 'job-cancel-requested' && !isOpen) continue
    for (const lease of await requestCancel(tx, { job: event.job })) agents.push(lease.agent_id)
  }
  told.push({ stored: before, events, agents, serial, ...(says && { topics: ['statuses'] }) })
  return workflow
}

const nodesIn = ({ workflow }: StoredWorkflow, id: JobId): number =>
  workflow.jobs.find((job) => job.id === id)?.parallelism ?? 1

/** Wakes up whoever a durable change concerns. */
export function tell(world: World, told: readonly Told[]): void {
  const topics = new Set<string>()
  for (const { stored, events, agents, serial = false, topics: others = [] } of told) {
    topics
      .add(`workflow:${stored.row.id}`)
      .add(`pipeline:${stored.row.pipeline_id}`)
      .add(`project:${stored.row.project_id}`)
    for (const topic of others) topics.add(topic)
    countCompletions(world, events)
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
