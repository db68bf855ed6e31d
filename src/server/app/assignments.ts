import { lacking, type Offer, toDemand } from '#core/demand.ts'
import type { AgentId, JobId, WorkflowId } from '#core/ids.ts'
import { later } from '#kit/brand.ts'
import { type AgentRow } from '#server/store/agents.ts'
import { insertLease, leaseOf, raiseFence } from '#server/store/leases.ts'
import { allowances } from '#server/store/limits.ts'
import { startNode } from '#server/store/nodes.ts'
import { demandsInLine, type Queued, type Takable, takeQueued } from '#server/store/queue.ts'
import type { Tx } from '#server/store/schema.ts'
import { type JobRow, lockWorkflow } from '#server/store/workflows.ts'
import { hashToken, newToken } from './seal.ts'
import { change, tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** A node of a job that an agent has taken. */
export interface Claimed {
  readonly job: JobRow
  readonly node: number
  readonly fence: number
  readonly token: string
}

/** What an agent has, as it said when it registered. */
export const offerOf = (agent: AgentRow): Offer => ({
  executors: JSON.parse(agent.executors) as string[],
  resourceClasses: JSON.parse(agent.resource_classes) as string[],
  labels: JSON.parse(agent.labels) as string[],
})

/** Gives the agent the jobs whose turn it is, up to `free` nodes of them. Each is leased and running when this resolves. */
export async function claimJobs(world: World, agent: AgentRow, free: number): Promise<readonly Claimed[]> {
  if (agent.mode !== 'working') return []
  const offer = offerOf(agent)
  const told: Told[] = []
  const claimed = await world.db.transaction().execute(async (tx) => {
    told.length = 0
    const inLine = (await demandsInLine(tx, {})).map(({ demand }) => demand)
    const demands = inLine.filter((demand) => lacking(offer, toDemand(demand)) === undefined)
    if (demands.length === 0) return []
    const isAll = demands.length === inLine.length
    const places = await takeAllowed(tx, { demands, isAll, organization: agent.organization_id, without: [] }, free)
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

/** Takes places as far as the limits of projects and organizations let it. */
async function takeAllowed(tx: Tx, which: Takable, most: number): Promise<readonly Queued[]> {
  const limits = await allowances(tx)
  if (limits.length === 0) return takeQueued(tx, which, most)
  const places: Queued[] = []
  // One by one, as each may be the last that its project is allowed.
  while (places.length < most) {
    const without = limits.flatMap(({ left, projects }) => (left > 0 ? [] : [...projects]))
    const [place] = await takeQueued(tx, { ...which, without }, 1)
    if (!place) break
    places.push(place)
    for (const limit of limits) if (limit.projects.has(place.project_id)) limit.left -= 1
  }
  return places
}

async function take(world: World, tx: Tx, agent: AgentId, queued: Queued, told: Told[]): Promise<Claimed | undefined> {
  const stored = await lockWorkflow(tx, queued.workflow_id as WorkflowId)
  const job = stored?.jobs.find((candidate) => candidate.id === queued.job_id)
  // Canceled while it waited: its place in the queue was all that was left of it.
  if (!stored || !job || !(await isFree(tx, job, queued.node))) return undefined
  const at = world.now()
  // The first node to start begins the job.
  if (job.status === 'queued') await change(world, tx, stored, { type: 'start-job', job: job.id as JobId }, told)
  else told.push({ stored, events: [], agents: [], topics: [`job:${job.id}`] })
  if (job.parallelism > 1) await startNode(tx, { job: job.id, node: queued.node, now: at })
  const fence = (await raiseFence(tx, { job: job.id }))?.fence ?? 1
  const token = newToken('job')
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
    turn: queued.turn,
  })
  return { job, node: queued.node, fence, token }
}

/** Whether nobody has this node: of a job that runs, only other nodes may be taken. */
async function isFree(tx: Tx, job: JobRow, node: number): Promise<boolean> {
  if (job.status === 'queued') return true
  return job.status === 'running' && job.parallelism > 1 && !(await leaseOf(tx, { job: job.id, node }))
}
