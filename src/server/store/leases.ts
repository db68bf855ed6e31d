import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type LeaseRow = Selectable<Schema['leases']>

/** Writes a lease; one of the same job that was left behind is replaced. */
export const insertLease = statement((db, row: LeaseRow) =>
  db.insertInto('leases').values({
    job_id: row.job_id,
    node: row.node,
    workflow_id: row.workflow_id,
    project_id: row.project_id,
    agent_id: row.agent_id,
    fence: row.fence,
    token_hash: row.token_hash,
    claimed_at: row.claimed_at,
    accepted: row.accepted,
    started: row.started,
    cancel: row.cancel,
    expires_at: row.expires_at,
    turn: row.turn,
  }),
)

/** The lease a job token opens; none once it has ended. */
export const leaseByToken = statementForOne((db, { hash }: { hash: string }) =>
  db.selectFrom('leases').selectAll().where('token_hash', '=', hash),
)

/** The lease of a node of a job. */
export const leaseOf = statementForOne((db, { job, node }: { job: string; node: number }) =>
  db.selectFrom('leases').selectAll().where('job_id', '=', job).where('node', '=', node),
)

/** Every lease of a job, of its nodes in order. */
export const leasesOfJob = statement((db, { job }: { job: string }) =>
  db.selectFrom('leases').selectAll().where('job_id', '=', job).orderBy('node'),
)

/** Ends a lease, if it is still that one. */
export const deleteLease = statementForOne((db, { job, fence }: { job: string; fence: number }) =>
  db.deleteFrom('leases').where('job_id', '=', job).where('fence', '=', fence).returning('job_id'),
)

/** Counts one more hand-out of a job. */
export const raiseFence = statementForOne((db, { job }: { job: string }) =>
  db
    .updateTable('jobs')
    .set((eb) => ({ fence: eb('fence', '+', 1) }))
    .where('id', '=', job)
    .returning('fence'),
)

/** Everything an agent holds. */
export const leasesOf = statement((db, { agent }: { agent: string }) =>
  db.selectFrom('leases').selectAll().where('agent_id', '=', agent),
)

/**
 * Notes that the first step of the user has begun: from here on a lost job is not silently run again.
 * Whoever says so also says that it has the job: the lease lasts as if a heartbeat had named it.
 */
export const markStarted = statement((db, at: { job: string; fence: number; until: string }) =>
  db
    .updateTable('leases')
    .set({ started: 1, accepted: 1, expires_at: at.until })
    .where('job_id', '=', at.job)
    .where('fence', '=', at.fence),
)

/** Asks the agents that hold nodes of a job to stop them. */
export const requestCancel = statement((db, { job }: { job: string }) =>
  db.updateTable('leases').set({ cancel: 1 }).where('job_id', '=', job).returning('agent_id'),
)

/** Keeps leases for longer. A fence is raised for each node, so job and fence name one lease. */
export async function renewLeases(tx: Tx, agent: string, held: readonly LeaseRow[], until: string): Promise<void> {
  if (held.length === 0) return
  await tx
    .updateTable('leases')
    .set({ expires_at: until, accepted: 1 })
    .where('agent_id', '=', agent)
    .where((eb) => eb.or(held.map(({ job_id, fence }) => eb.and([eb('job_id', '=', job_id), eb('fence', '=', fence)]))))
    .execute()
}

/** Gives every lease more time and takes every job for begun: for a server that was away and cannot know better. */
export async function prolongLeases(tx: Tx, until: string): Promise<void> {
  await tx.updateTable('leases').set({ expires_at: until, started: 1 }).execute()
}

/** Lets every lease end at the same time: for a server whose clock was changed, and whose times mean nothing any more. */
export async function retimeLeases(tx: Tx, until: string): Promise<void> {
  await tx.updateTable('leases').set({ expires_at: until }).execute()
}

const ended = statement((db, { now, most }: { now: string; most: number }) =>
  db.selectFrom('leases').selectAll().where('expires_at', '<', now).orderBy('expires_at').limit(most),
)

/** Leases nobody renewed in time; one of them may still be renewed before it is ended. */
export const expiredLeases = (db: Db, now: string, most: number): Promise<LeaseRow[]> => ended(db, { now, most })

/** Ends a lease, if it is still that one and still nobody renewed it. */
export const deleteExpiredLease = statementForOne(
  (db, { job, fence, now }: { job: string; fence: number; now: string }) =>
    db
      .deleteFrom('leases')
      .where('job_id', '=', job)
      .where('fence', '=', fence)
      .where('expires_at', '<', now)
      .returning('job_id'),
)

/** The jobs that each of these agents holds, once for each node. */
export async function heldJobs(db: Db, agents: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const held = new Map<string, string[]>()
  if (agents.length === 0) return held
  const rows = await db
    .selectFrom('leases')
    .select(['agent_id', 'job_id'])
    .where('agent_id', 'in', [...agents])
    .execute()
  for (const { agent_id: agent, job_id: job } of rows) held.set(agent, [...(held.get(agent) ?? []), job])
  return held
}

/** How many nodes of jobs each agent holds; none where it holds none. */
export async function leaseCounts(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('leases')
    .select((eb) => ['agent_id', eb.fn.countAll<number>().as('count')])
    .groupBy('agent_id')
    .execute()
  return new Map(rows.map(({ agent_id, count }) => [agent_id, Number(count)]))
}

/** How many jobs are out with agents. */
export async function leaseCount(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('leases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
