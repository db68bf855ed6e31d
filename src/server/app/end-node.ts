import type { JobId } from '#core/ids.ts'
import { isOver, type Job } from '#core/job.ts'
import { type NodeOutcome, type NodeStatus, outcomeOfNodes } from '#core/nodes.ts'
import { endNode as keepEnd, type NodeRow, nodesOf } from '#server/store/nodes.ts'
import type { Tx } from '#server/store/schema.ts'
import { copySshUsers } from '#server/store/ssh-users.ts'
import type { StoredWorkflow } from '#server/store/workflows.ts'
import { freePlaces } from './serial-places.ts'
import { change, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** How one node of a job ended. */
export interface NodeEnding {
  readonly node: number
  readonly outcome: NodeOutcome
  readonly reason: string | null
  /** Whether the job may be tried again if this is what ends it. */
  readonly mayRetry: boolean
}

/** Ends one node of a job, whose lease is gone, inside a transaction that holds the workflow; the job too, where that settles it. */
export async function endNode(
  world: World,
  tx: Tx,
  stored: StoredWorkflow,
  job: Job,
  ending: NodeEnding,
  told: Told[],
): Promise<void> {
  const settled = job.parallelism === 1 ? ending : await settle(world, tx, job, ending)
  if (isOver(job.status)) {
    if (await freePlaces(tx, stored)) told.push({ stored, events: [], agents: [], serial: true })
    return
  }
  if (!settled) {
    told.push({ stored, events: [], agents: [], topics: [`job:${job.id}`] })
    return
  }
  const { outcome, reason } = settled
  const again = outcome === 'infrastructure_fail' && ending.mayRetry && job.attempt <= world.terms.lostJobRetries
  const reasons = reason === null ? undefined : new Map([[job.id, reason]])
  const retryAs = again ? (world.newId() as JobId) : undefined
  const retry = retryAs === undefined ? {} : { retryAs }
  await change(world, tx, stored, { type: 'finish-job', job: job.id, outcome, ...retry }, told, reasons)
  // Whoever was let into the job that was lost is let into the one that takes its place.
  if (retryAs !== undefined) await copySshUsers(tx, job.id, retryAs)
}

async function settle(world: World, tx: Tx, job: Job, { node, outcome, reason }: NodeEnding) {
  await keepEnd(tx, { job: job.id, node, status: outcome, reason, now: world.now() })
  const nodes = await nodesOf(tx, { job: job.id })
  const together = outcomeOfNodes(nodes.map(({ status }) => status as NodeStatus))
  return together && { outcome: together, reason: reasonFor(nodes, together) }
}

/** What the nodes that decided it say, each by its number. */
function reasonFor(nodes: readonly NodeRow[], outcome: NodeOutcome): string | null {
  const said = nodes.filter((node) => node.status === outcome && node.reason !== null)
  if (said.length === 0) return null
  return said
    .map(({ node, reason }) => `Node ${node}: ${reason}`)
    .join('\n')
    .slice(0, 2000)
}
