import type { AgentId, JobId, WorkflowId } from '#core/ids.ts'
import { isOver, type Job } from '#core/job.ts'
import { later } from '#kit/brand.ts'
import {
  deleteExpiredLease,
  deleteLease,
  expiredLeases,
  type LeaseRow,
  leasesOf,
  prolongLeases,
  renewLeases,
  retimeLeases,
} from '#server/store/leases.ts'
import type { Tx } from '#server/store/schema.ts'
import { closeSteps, stepsOfNode } from '#server/store/steps.ts'
import { enqueueAgain } from '#server/store/enqueue.ts'
import { nodesOf } from '#server/store/nodes.ts'
import { lockWorkflow, type StoredWorkflow, waiting } from '#server/store/workflows.ts'
import { endNode } from './end-node.ts'
import { change, tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** A hold on a job, as an agent names it. */
export interface Hold {
  readonly job: JobId
  readonly fence: number
}

export interface Renewal {
  /** Whether the server hears of one of these leases for the first time: then the agent should know soon that it did. */
  readonly isNews: boolean
  readonly cancel: readonly Hold[]
  readonly lost: readonly Hold[]
}

/** Keeps what the agent says it holds, and tells it what to stop. */
export async function renew(world: World, agent: AgentId, holds: readonly Hold[]): Promise<Renewal> {
  const leases = await leasesOf(world.db, { agent })
  const held = leases.filter((lease) => holds.some((hold) => isSame(lease, hold)))
  if (held.length > 0) {
    const until = later(world.now(), world.terms.leaseMs)
    await world.db.transaction().execute((tx) => renewLeases(tx, agent, held, until))
  }
  const isNews = held.some((lease) => lease.accepted === 0)
  const lost = holds.filter((hold) => !held.some((lease) => isSame(lease, hold)))
  return { isNews, cancel: cancellations(leases), lost }
}

/** Jobs of the agent that somebody canceled. */
export async function cancellationsFor(world: World, agent: AgentId): Promise<readonly Hold[]> {
  return cancellations(await leasesOf(world.db, { agent }))
}

const cancellations = (leases: readonly LeaseRow[]): readonly Hold[] =>
  leases.filter((lease) => lease.cancel === 1).map((lease) => ({ job: lease.job_id as JobId, fence: lease.fence }))

const isSame = (lease: LeaseRow, hold: Hold): boolean => lease.job_id === hold.job && lease.fence === hold.fence

/**
 * After an absence of the only server: agents spoke and nobody heard them, so every lease begins anew. A word that a job had begun may be
 * among what was not heard, so all of them count as begun: one that is lost after all is shown as a second attempt.
 */
export const resumeLeases = (world: World): Promise<void> =>
  world.db.transaction().execute((tx) => prolongLeases(tx, later(world.now(), world.terms.leaseMs)))

/**
 * Notices when the clock of this server was set, by comparing it with one that nobody sets. The ends of leases are times of day:
 * after a jump they say nothing, so every lease begins anew. `steady` gives milliseconds of such a clock.
 */
export function clockWatch(world: World, steady: () => number): () => Promise<boolean> {
  let before = { day: Date.parse(world.now()), steady: steady() }
  return async () => {
    const now = { day: Date.parse(world.now()), steady: steady() }
    const jumped = now.day - before.day - (now.steady - before.steady)
    before = now
    if (Math.abs(jumped) < Math.min(world.terms.leaseMs, world.terms.acceptMs) / 4) return false
    world.log.warn('The clock of this server was set', { by_ms: Math.round(jumped) })
    await world.db.transaction().execute((tx) => retimeLeases(tx, later(world.now(), world.terms.leaseMs)))
    return true
  }
}

/**
 * Takes back jobs whose agent was not heard of in time. One whose first step had not begun goes back to the queue as if nothing had been;
 * any other ended in an infrastructure failure, and is tried again as a new attempt that everybody can see.
 */
export async function reclaim(world: World): Promise<number> {
  const leases = await expiredLeases(world.db, world.now(), 50)
  // Each alone, and its workflow first: whoever finishes a job locks in the same order.
  for (const lease of leases) {
    const told: Told[] = []
    await world.db.transaction().execute(async (tx) => {
      told.length = 0
      await endLease(world, tx, lease, told, deleteExpiredLease, unheard(world))
    })
    tell(world, told)
    world.bell.ring(`log:${lease.job_id}`)
  }
  return leases.length
}

/**
 * Takes back what was handed to an agent whose process has begun anew and does not have it. An agent keeps what it is given before it does
 * anything with it, so nothing of such a job runs: unless a step was told of, it goes back to the queue as if nothing had been.
 */
export async function dropUnheld(world: World, agent: AgentId, holds: readonly Hold[]): Promise<void> {
  const leases = await leasesOf(world.db, { agent })
  for (const lease of leases.filter((one) => !holds.some((hold) => isSame(one, hold)))) {
    const told: Told[] = []
    await world.db.transaction().execute(async (tx) => {
      told.length = 0
      const steps = await stepsOfNode(tx, { job: lease.job_id, node: lease.node })
      await endLease(world, tx, { ...lease, started: steps.length > 0 ? 1 : 0 }, told, deleteLease, forgotten)
    })
    tell(world, told)
    world.bell.ring(`log:${lease.job_id}`)
  }
}

/**
 * A server that died may have handed out jobs without anybody hearing of it, and all leases began anew when the next one came. So each
 * agent is asked what it has when it claims from this server for the first time. Later claims need no such look: a job whose agent did
 * not hear of it goes back when it was not accepted in time.
 */
export function attendance(world: World): (agent: AgentId, holds: readonly Hold[] | undefined) => Promise<void> {
  const seen = new Set<AgentId>()
  return async (agent, holds) => {
    if (!holds || seen.has(agent)) return
    await dropUnheld(world, agent, holds)
    seen.add(agent)
  }
}

async function endLease(
  world: World,
  tx: Tx,
  lease: LeaseRow,
  told: Told[],
  remove: typeof deleteExpiredLease | typeof deleteLease,
  why: string,
): Promise<void> {
  const stored = await lockWorkflow(tx, lease.workflow_id as WorkflowId)
  if (!(await remove(tx, { job: lease.job_id, fence: lease.fence, now: world.now() }))) return
  const job = stored?.workflow.jobs.find((candidate) => candidate.id === lease.job_id)
  await closeSteps(
    tx,
    lease.job_id,
    lease.node,
    job?.status === 'canceled' ? 'canceled' : 'infrastructure_fail',
    world.now(),
  )
  if (!stored || !job) return
  if (!isOver(job.status)) {
    const { agent_id: agent, node, fence } = lease
    world.log.warn('A job was lost with its agent', { job: job.id, node, agent, fence, started: lease.started === 1 })
  }
  if (lease.started === 0 && !isOver(job.status)) return putBack(world, tx, stored, job, lease, told)
  const outcome = job.status === 'canceled' ? 'canceled' : 'infrastructure_fail'
  const reason = outcome === 'canceled' ? null : why
  await endNode(world, tx, stored, job, { node: lease.node, outcome, reason, mayRetry: true }, told)
}

const forgotten = 'The agent that ran this job was started again and does not have the job any more'

const unheard = ({ terms }: World): string =>
  `The agent that ran this job was lost: nothing was heard of it for ${Math.round(terms.leaseMs / 1000)} seconds`

/** Back to where it stood in line. A job whose other nodes run, or have run, goes on meanwhile. */
async function putBack(
  world: World,
  tx: Tx,
  stored: StoredWorkflow,
  job: Job,
  lease: LeaseRow,
  told: Told[],
): Promise<void> {
  const number = stored.jobs.find((row) => row.id === job.id)?.number ?? 0
  await enqueueAgain(tx, waiting(stored.row, job, number), lease.node, lease.turn)
  const nodes = await nodesOf(tx, { job: job.id })
  if (nodes.every(({ status }) => status === 'queued'))
    await change(world, tx, stored, { type: 'requeue-job', job: job.id }, told)
  else told.push({ stored, events: [], agents: [], topics: ['queue', `job:${job.id}`] })
}
