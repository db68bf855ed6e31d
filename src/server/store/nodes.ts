import type { Selectable } from 'kysely'
import type { Schema } from './schema.ts'
import { statement } from './statement.ts'

/** One node of a job that has several. */
export type NodeRow = Selectable<Schema['nodes']>

/** The nodes of a job, in order; none where it has only one. */
export const nodesOf = statement((db, { job }: { job: string }) =>
  db.selectFrom('nodes').selectAll().where('job_id', '=', job).orderBy('node'),
)

/** Writes a node that waits; one that is known keeps its place and waits again. */
export const putNode = statement((db, at: { job: string; node: number }) =>
  db
    .insertInto('nodes')
    .values({ job_id: at.job, node: at.node, status: 'queued', started_at: null, stopped_at: null, reason: null })
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'node']).doUpdateSet({ status: 'queued', started_at: null, stopped_at: null }),
    ),
)

/** Notes that an agent has a node. */
export const startNode = statement((db, at: { job: string; node: number; now: string }) =>
  db
    .updateTable('nodes')
    .set({ status: 'running', started_at: at.now })
    .where('job_id', '=', at.job)
    .where('node', '=', at.node),
)

/** Notes how a node ended. */
export const endNode = statement(
  (db, at: { job: string; node: number; status: string; reason: string | null; now: string }) =>
    db
      .updateTable('nodes')
      .set({ status: at.status, reason: at.reason, stopped_at: at.now })
      .where('job_id', '=', at.job)
      .where('node', '=', at.node),
)
