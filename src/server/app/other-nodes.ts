import { isOver, type JobStatus } from '#core/job.ts'
import { type NodeStatus, othersOf } from '#core/nodes.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { nodesOf } from '#server/store/nodes.ts'
import type { World } from './world.ts'

/** How the other nodes of a job stand, for the one that must be the last. */
export async function otherNodes({ db }: World, lease: LeaseRow): Promise<ReturnType<typeof othersOf>> {
  const job = await jobById(db, { id: lease.job_id })
  if (!job || isOver(job.status as JobStatus)) return 'failed'
  const others = (await nodesOf(db, { job: lease.job_id })).filter(({ node }) => node !== lease.node)
  return othersOf(others.map(({ status }) => status as NodeStatus))
}
