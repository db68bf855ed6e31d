import { lockFree } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import { statement } from './statement.ts'

export interface Queued {
  readonly job_id: string
  readonly node: number
  readonly workflow_id: string
}

/** The places that have waited longest. One whose job was canceled counts for nothing: many of them must not keep the next one waiting. */
const oldest = (db: Db, most: number) =>
  db
    .selectFrom('queue')
    .select('queue.job_id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('jobs')
          .select('jobs.id')
          .whereRef('jobs.id', '=', 'queue.job_id')
          .where('jobs.status', '=', 'queued'),
      ),
    )
    .orderBy('sequence')
    .limit(most)
    .$call(lockFree(db))

const takeAny = statement((db, { most }: { most: number }) =>
  db
    .deleteFrom('queue')
    .where('job_id', 'in', (eb) => eb.selectFrom(oldest(db, most).as('oldest')).select('job_id'))
    .returning(['job_id', 'node', 'workflow_id', 'sequence']),
)

/**
 * Takes the jobs that have waited longest in these resource classes (none: any). Two callers never get the same one.
 * Cancelling leaves the queue alone, so what is taken must still be looked at: a place whose job no longer waits is simply dropped.
 */
export async function takeQueued(tx: Tx, classes: readonly string[], most: number): Promise<readonly Queued[]> {
  const rows = classes.length === 0 ? await takeAny(tx, { most }) : await takeSome(tx, classes, most)
  return rows.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1))
}

const takeSome = (tx: Tx, classes: readonly string[], most: number) =>
  tx
    .deleteFrom('queue')
    .where('job_id', 'in', (eb) =>
      eb
        .selectFrom(
          oldest(tx, most)
            .where('resource_class', 'in', [...classes])
            .as('oldest'),
        )
        .select('job_id'),
    )
    .returning(['job_id', 'node', 'workflow_id', 'sequence'])
    .execute()

/** How many jobs wait. */
export async function queueLength(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('queue')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Forgets places whose job is not waiting any more (canceled before anybody came). */
export async function dropStale(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('queue')
    .where('job_id', 'in', (eb) =>
      eb
        .selectFrom('queue')
        .innerJoin('jobs', 'jobs.id', 'queue.job_id')
        .select('queue.job_id')
        .where('jobs.status', '!=', 'queued'),
    )
    .execute()
}
