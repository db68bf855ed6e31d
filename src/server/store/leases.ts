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
  }),
)

/** The lease a job token opens; none once it has ended. */
export const leaseByToken = statementForOne((db, { hash }: { hash: string }) =>
  db.selectFrom('leases').selectAll().where('token_hash', '=', hash),
)

/** The lease of a job. */
export const leaseOf = statementForOne((db, { job }: { job: string }) =>
  db.selectFrom('leases').selectAll().where('job_id', '=', job),
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

/** Notes that the first step of the user has begun: from here on a lost job is not silently run again. */
export const markStarted = statement((db, { job, fence }: { job: string; fence: number }) =>
  db.updateTable('leases').set({ started: 1 }).where('job_id', '=', job).where('fence', '=', fence),
)

/** Asks the agent that holds a job to stop it. */
export const requestCancel = statementForOne((db, { job }: { job: string }) =>
  db.updateTable('leases').set({ cancel: 1 }).where('job_id', '=', job).returning('agent_id'),
)

/** Keeps leases for longer. */
export async function renewLeases(tx: Tx, agent: string, jobs: readonly string[], until: string): Promise<void> {
  if (jobs.length === 0) return
  await tx
    .updateTable('leases')
    .set({ expires_at: until, accepted: 1 })
    .where('agent_id', '=', agent)
    .where('job_id', 'in', [...jobs])
    .execute()
}

/** Gives every lease more time and takes every job for begun: for a server that was away and cannot know better. */
export async function prolongLeases(tx: Tx, until: string): Promise<void> {
  await tx.updateTable('leases').set({ expires_at: until, started: 1 }).execute()
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

/** How many jobs are out with agents. */
export async function leaseCount(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('leases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
