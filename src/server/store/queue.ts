import { type Compilable, sql } from 'kysely'
import { lockFree } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import { statement } from './statement.ts'

export interface Queued {
  readonly job_id: string
  readonly node: number
  readonly workflow_id: string
  readonly project_id: string
  readonly turn: number
  readonly sequence: string
}

/** Which places an agent may take. */
export interface Takable {
  /** Of these demands. */
  readonly demands: readonly string[]
  /** Whether no other demand waits. */
  readonly isAll: boolean
  /** Of the projects of this organization only. */
  readonly organization: string | null
  /** Not of these projects. */
  readonly without: readonly string[]
}

/** Every demand that waits, each once: as many looks into the index as there are demands, however long the queue is. */
export const demandsInLine = statement((db, _: Readonly<Record<string, never>>): Compilable<{ demand: string }> => ({
  compile: () =>
    sql<{ demand: string }>`with recursive found (demand) as (
        select min(demand) from queue
        union all select (select min(demand) from queue where queue.demand > found.demand) from found where found.demand is not null
      ) select demand from found where demand is not null`.compile(db),
}))

/**
 * The places whose turn it is. One whose job has ended counts for nothing: many of them must not keep the next one waiting.
 * A job that runs already waits here with those of its nodes that do not.
 */
const next = (db: Db, most: number) =>
  db
    .selectFrom('queue')
    .select(['queue.job_id', 'queue.node'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('jobs')
          .select('jobs.id')
          .whereRef('jobs.id', '=', 'queue.job_id')
          .where('jobs.status', 'in', ['queued', 'running']),
      ),
    )
    .orderBy('turn')
    .orderBy('sequence')
    .orderBy('node', 'desc')
    .limit(most)
    .$call(lockFree(db))

const taken = ['job_id', 'node', 'workflow_id', 'project_id', 'turn', 'sequence'] as const

const take = (db: Db, places: ReturnType<typeof next>) =>
  db
    .deleteFrom('queue')
    .where((eb) =>
      eb(
        eb.refTuple('job_id', 'node'),
        'in',
        eb.selectFrom(places.as('next')).select(['job_id', 'node']).$asTuple('job_id', 'node'),
      ),
    )
    .returning([...taken])

const takeAny = statement((db, { most }: { most: number }) => take(db, next(db, most)))

function takeSome(tx: Tx, { demands, organization, without }: Takable, most: number): Promise<Queued[]> {
  let places = next(tx, most).where('demand', 'in', [...demands])
  if (without.length > 0) places = places.where('project_id', 'not in', [...without])
  if (organization !== null) {
    places = places.where('project_id', 'in', (eb) =>
      eb.selectFrom('projects').select('id').where('organization_id', '=', organization),
    )
  }
  return take(tx, places).execute()
}

/**
 * Takes the places whose turn it is. Two callers never get the same one.
 * Cancelling leaves the queue alone, so what is taken must still be looked at: a place whose job no longer waits is simply dropped.
 */
export async function takeQueued(tx: Tx, which: Takable, most: number): Promise<readonly Queued[]> {
  const isAny = which.isAll && which.organization === null && which.without.length === 0
  const rows = isAny ? await takeAny(tx, { most }) : await takeSome(tx, which, most)
  return rows.toSorted(byTurn)
}

const byTurn = (a: Queued, b: Queued): number =>
  a.turn - b.turn || (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : b.node - a.node)

/** How many nodes of jobs wait. */
export async function queueLength(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('queue')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The first place of a job, if it waits. */
export const placeOf = (db: Db, job: string): Promise<Queued | undefined> =>
  db
    .selectFrom('queue')
    .select([...taken])
    .where('job_id', '=', job)
    .orderBy('turn')
    .limit(1)
    .executeTakeFirst()

/** How many places of some demands come before one, counted up to `most`. */
export async function placesBefore(
  db: Db,
  demands: readonly string[],
  { turn, sequence }: Queued,
  most: number,
): Promise<number> {
  if (demands.length === 0) return 0
  const rows = await db
    .selectFrom('queue')
    .select('node')
    .where('demand', 'in', [...demands])
    .where((eb) => eb.or([eb('turn', '<', turn), eb.and([eb('turn', '=', turn), eb('sequence', '<', sequence)])]))
    .limit(most)
    .execute()
  return rows.length
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
        .where('jobs.status', 'not in', ['queued', 'running']),
    )
    .execute()
}

/** How many wait in each resource class, and the place of the first of them. */
export const queuedByClass = statement((db, _: Readonly<Record<string, never>>) =>
  db
    .selectFrom('queue')
    .select((eb) => ['resource_class', eb.fn.countAll<number>().as('waiting'), eb.fn.min('sequence').as('oldest')])
    .groupBy('resource_class')
    .orderBy('resource_class'),
)
