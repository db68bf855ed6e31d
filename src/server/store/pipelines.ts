import type { Selectable } from 'kysely'
import { literal, lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type PipelineRow = Selectable<Schema['pipelines']>

const takeNumber = statementForOne((db, { project }: { project: string }) =>
  db
    .updateTable('projects')
    .set((eb) => ({ last_pipeline: eb('last_pipeline', '+', 1) }))
    .where('id', '=', project)
    .returning('last_pipeline'),
)

/** The next number of a project: dense and unique, as it is taken in the transaction that writes the pipeline. */
export async function nextPipelineNumber(tx: Tx, project: string): Promise<number> {
  const row = await takeNumber(tx, { project })
  if (!row) throw new Error(`Cannot number a pipeline: there is no project ${project}`)
  return row.last_pipeline
}

export const insertPipeline = statement((db, row: PipelineRow) =>
  db.insertInto('pipelines').values({
    id: row.id,
    project_id: row.project_id,
    number: row.number,
    state: row.state,
    errors: row.errors,
    trigger_type: row.trigger_type,
    actor_id: row.actor_id,
    received_at: row.received_at,
    branch: row.branch,
    tag: row.tag,
    revision: row.revision,
    parameters: row.parameters,
    options: row.options,
    base_revision: row.base_revision,
    config_hash: row.config_hash,
    compiled_hash: row.compiled_hash,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
)

export const pipelineById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('pipelines').selectAll().where('id', '=', id),
)

export const lockPipeline = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('pipelines').selectAll().where('id', '=', id).$call(lock(db)),
)

export const pipelineByNumber = statementForOne((db, at: { project: string; number: number }) =>
  db.selectFrom('pipelines').selectAll().where('project_id', '=', at.project).where('number', '=', at.number),
)

export const updatePipeline = statement(
  (db, to: Pick<PipelineRow, 'id' | 'state' | 'errors' | 'config_hash' | 'compiled_hash' | 'updated_at'>) =>
    db
      .updateTable('pipelines')
      .set({
        state: to.state,
        errors: to.errors,
        config_hash: to.config_hash,
        compiled_hash: to.compiled_hash,
        updated_at: to.updated_at,
      })
      .where('id', '=', to.id),
)

/** Pipelines whose configuration has not been compiled: new ones, and those a crash left behind. */
export async function pendingPipelines(db: Db, most: number): Promise<string[]> {
  return (await pending(db, { most })).map((row) => row.id)
}

const pending = statement((db, { most }: { most: number }) =>
  db.selectFrom('pipelines').select('id').where('state', '=', literal('pending')).orderBy('id').limit(most),
)

export interface PipelineFilter {
  readonly branch?: string
  readonly actor?: string
  /** Only those with a smaller number: where the page before ended. */
  readonly below?: number
}

/** Newest first. A branch leaves out pipelines of tags. */
export async function pipelinesOf(
  db: Db,
  project: string,
  filter: PipelineFilter,
  most: number,
): Promise<PipelineRow[]> {
  let query = db.selectFrom('pipelines').selectAll().where('project_id', '=', project).where('number', '>', 0)
  if (filter.branch !== undefined) query = query.where('branch', '=', filter.branch)
  if (filter.actor !== undefined) query = query.where('actor_id', '=', filter.actor)
  if (filter.below !== undefined) query = query.where('number', '<', filter.below)
  return query.orderBy('number', 'desc').limit(most).execute()
}

export interface AcrossFilter {
  readonly projects: readonly string[]
  readonly actor?: string
  readonly before?: string
}

/** Of several projects, newest first; ids grow with time. */
export async function pipelinesAcross(db: Db, filter: AcrossFilter, most: number): Promise<PipelineRow[]> {
  if (filter.projects.length === 0) return []
  let query = db
    .selectFrom('pipelines')
    .selectAll()
    .where('project_id', 'in', [...filter.projects])
    .where('number', '>', 0)
  if (filter.actor !== undefined) query = query.where('actor_id', '=', filter.actor)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return query.orderBy('id', 'desc').limit(most).execute()
}

/** The workflows of a pipeline, oldest first. */
export const workflowsOf = statement((db, { pipeline }: { pipeline: string }) =>
  db.selectFrom('workflows').selectAll().where('pipeline_id', '=', pipeline).orderBy('id'),
)
