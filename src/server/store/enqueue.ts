import { type Selectable, sql } from 'kysely'
import { demandText, type ExecutorKind } from '#core/demand.ts'
import { putNode } from './nodes.ts'
import type { Schema, Tx } from './schema.ts'
import { statement } from './statement.ts'

type PlaceRow = Selectable<Schema['queue']>

/** What is put in line. */
export interface Waiting {
  readonly id: string
  readonly workflow: string
  readonly project: string
  readonly resourceClass: string
  readonly executor: ExecutorKind
  readonly parallelism: number
  readonly sequence: string
}

/**
 * The round in which the next job of a project is served: the one after its last that waits or runs, but none that has gone by
 * (what runs now had its turn before). So projects take turns, and a thousand jobs of one delay the first of another by one.
 */
const nextTurn = (project: string) => sql<number>`coalesce(
  (select max(turn) from (
    select max(turn) + 1 as turn from queue where project_id = ${project}
    union all select max(turn) + 1 from leases where project_id = ${project}
    union all select max(turn) from leases
  ) as turns),
  (select min(turn) from queue), 0)`

const put = statement((db, row: Omit<PlaceRow, 'turn'>) =>
  db
    .insertInto('queue')
    .values({
      job_id: row.job_id,
      node: row.node,
      workflow_id: row.workflow_id,
      project_id: row.project_id,
      resource_class: row.resource_class,
      demand: row.demand,
      turn: nextTurn(row.project_id),
      sequence: row.sequence,
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'node']).doNothing()),
)

const putBack = statement((db, row: PlaceRow) =>
  db
    .insertInto('queue')
    .values({
      job_id: row.job_id,
      node: row.node,
      workflow_id: row.workflow_id,
      project_id: row.project_id,
      resource_class: row.resource_class,
      demand: row.demand,
      turn: row.turn,
      sequence: row.sequence,
    })
    .onConflict((conflict) => conflict.columns(['job_id', 'node']).doNothing()),
)

const rowOf = (job: Waiting, node: number) => ({
  job_id: job.id,
  node,
  workflow_id: job.workflow,
  project_id: job.project,
  resource_class: job.resourceClass,
  demand: demandText(job.executor, job.resourceClass),
  sequence: job.sequence,
})

/**
 * Puts a job in line, each of its nodes for itself. The first node comes last: it may have to wait for the others (`deploy`),
 * and must not keep the only slot from them.
 */
export async function enqueue(tx: Tx, job: Waiting): Promise<void> {
  for (let node = job.parallelism - 1; node >= 0; node--) {
    if (job.parallelism > 1) await putNode(tx, { job: job.id, node })
    await put(tx, rowOf(job, node))
  }
}

/** Puts one node back where it stood before it was taken. */
export async function enqueueAgain(tx: Tx, job: Waiting, node: number, turn: number): Promise<void> {
  if (job.parallelism > 1) await putNode(tx, { job: job.id, node })
  await putBack(tx, { ...rowOf(job, node), turn })
}
