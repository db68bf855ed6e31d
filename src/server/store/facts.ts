import type { Selectable } from 'kysely'
import type { Schema } from './schema.ts'
import { statement } from './statement.ts'

export type RunFact = Selectable<Schema['run_facts']>
export type JobFact = Selectable<Schema['job_facts']>

/** Keeps what is to be known of a workflow that ended; it ends once. */
export const insertRunFact = statement((db, row: RunFact) =>
  db
    .insertInto('run_facts')
    .values({
      project_id: row.project_id,
      name: row.name,
      started: row.started,
      id: row.id,
      branch: row.branch,
      status: row.status,
      duration: row.duration,
      credits: row.credits,
    })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Keeps what is to be known of a build that ended. */
export const insertJobFact = statement((db, row: JobFact) =>
  db
    .insertInto('job_facts')
    .values({
      project_id: row.project_id,
      workflow: row.workflow,
      started: row.started,
      id: row.id,
      name: row.name,
      branch: row.branch,
      status: row.status,
      duration: row.duration,
      credits: row.credits,
      queued: row.queued,
      resource_class: row.resource_class,
      nodes: row.nodes,
    })
    .onConflict((conflict) => conflict.doNothing()),
)
