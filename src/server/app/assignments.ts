import type { AgentId, JobId, WorkflowId } from '#core/ids.ts'
import { later } from '#kit/brand.ts'
import { type AgentRow } from '#server/store/agents.ts'
import { insertLease, raiseFence } from '#server/store/leases.ts'
import { type Queued, takeQueued } from '#server/store/queue.ts'
import type { Tx } from '#server/store/schema.ts'
import { type JobRow, lockWorkflow } from '#server/store/workflows.ts'
import { hashToken, newToken } from './seal.ts'
import { change, tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** A job that an agent has taken. */
export interface Claimed {
  readonly job: JobRow
  readonly fence: number
  readonly token: string
}

/** Gives the agent the jobs that have waited longest, up to `free` of them. Each is leased and running when this resolves. */
export async function claimJobs(world: World, agent: AgentRow, free: number): Promise<readonly Claimed[]> {
  const classes = JSON.parse(agent.resource_classes) as string[]
  const told: Told[] = []
  const claimed = await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const places = await takeQueued(tx, classes, free)
    const jobs = new Map<Queued, Claimed>()
    // Everybody locks workflows in the same order: two claims that met in two of them would wait for each other.
    for (const place of places.toSorted((a, b) => (a.workflow_id < b.workflow_id ? -1 : 1))) {
      const job = await take(world, tx, agent.id as AgentId, place, told)
      if (job) jobs.set(place, job)
    }
    return places.flatMap((place) => jobs.get(place) ?? [])
  })
  tell(world, told)
  return claimed
}

async function take(world: World, tx: Tx, agent: AgentId, queued: Queued, told: Told[]): Promise<Claimed | undefined> {
  const stored = await lockWorkflow(tx, queued.workflow_id as WorkflowId)
  const job = stored?.jobs.find((candidate) => candidate.id === queued.job_id)
  // Canceled while it waited: its place in the queue was all that was left of it.
  if (!stored || job?.status !== 'queued') return undefined
  await change(world, tx, stored, { type: 'start-job', job: job.id as JobId }, told)
  const fence = (await raiseFence(tx, { job: job.id }))?.fence ?? 1
  const token = newToken('job')
  const at = world.now()
  await insertLease(tx, {
    job_id: job.id,
    node: queued.node,
    workflow_id: queued.workflow_id,
    project_id: job.project_id,
    agent_id: agent,
    fence,
    token_hash: hashToken(token),
    claimed_at: at,
    accepted: 0,
    started: 0,
    cancel: 0,
    expires_at: later(at, world.terms.acceptMs),
  })
  return { job, fence, token }
}
