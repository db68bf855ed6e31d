import type { Selectable } from 'kysely'
import { literal, lock } from './dialect.ts'
import { takePipelineNumbers } from './numbers.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type PipelineRow = Selectable<Schema['pipelines']>

/** The next number of a project. */
export async function nextPipelineNumber(tx: Tx, project: string): Promise<number> {
  const number = await takePipelineNumbers(tx, { project, count: 1 })
  if (number === 0) throw new Error(`Cannot number a pipeline: there is no project ${project}`)
  return number
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
    trust: row.trust,
    needs_approval: row.needs_approval,
    definition_id: row.definition_id,
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
  return [...(await pending(db, { most })), ...(await pendingSetups(db, { most }))].map((row) => row.id)
}

const pendingSetups = statement((db, { most }: { most: number }) =>
  db.selectFrom('pipelines').select('id').where('state', '=', literal('setup-pending')).orderBy('id').limit(most),
)

/** Says that what a pending pipeline waits for is a setup. */
export const markSetup = statement((db, to: { id: string; updated_at: string }) =>
  db
    .updateTable('pipelines')
    .set({ state: 'setup-pending', updated_at: to.updated_at })
    .where('id', '=', to.id)
    .where('state', '=', 'pending'),
)

const pending = statement((db, { most }: { most: number }) =>
  db.selectFrom('pipelines').select('id').where('state', '=', literal('pending')).orderBy('id').limit(most),
)

export interface PipelineFilter {
  readonly branch?: string
  readonly actor?: string
  /** Only those with a smaller number: where the page before ended. */
  readonly below?: number
}

/** As much of a pipeline as tells whether it has changed. */
export type PipelineGlance = Pick<PipelineRow, 'id' | 'project_id' | 'number' | 'state' | 'updated_at'>

const glance = ['id', 'project_id', 'number', 'state', 'updated_at'] as const

/** Larger than any number: a page that begins at the newest. */
const above = Number.MAX_SAFE_INTEGER

interface At {
  readonly [name: string]: unknown
  readonly project: string
  readonly below: number
  readonly most: number
}

const glances = (db: Db, at: At) =>
  db
    .selectFrom('pipelines')
    .select(glance)
    .where('project_id', '=', at.project)
    .where('number', '<', at.below)
    .where('number', '>', 0)
    .orderBy('number', 'desc')
    .limit(at.most)

const newest = statement((db, at: At) => glances(db, at))
const ofBranch = statement((db, at: At & { branch: string }) => glances(db, at).where('branch', '=', at.branch))
const ofActor = statement((db, at: At & { actor: string }) => glances(db, at).where('actor_id', '=', at.actor))

/** Newest first. A branch leaves out pipelines of tags. */
export function pipelinesOf(
  db: Db,
  project: string,
  { branch, actor, below = above }: PipelineFilter,
  most: number,
): Promise<PipelineGlance[]> {
  const at = { project, below, most }
  if (actor !== undefined) return ofActor(db, { ...at, actor })
  return branch === undefined ? newest(db, at) : ofBranch(db, { ...at, branch })
}

/** Whole rows, in no order. */
export const pipelinesByIds = (db: Db, ids: readonly string[]): Promise<PipelineRow[]> =>
  db
    .selectFrom('pipelines')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()

export interface AcrossFilter {
  readonly projects: readonly string[]
  readonly actor?: string
  readonly before?: string
}

const inTime = statement((db, at: { project: string; before: string; most: number }) =>
  db
    .selectFrom('pipelines')
    .select(glance)
    .where('project_id', '=', at.project)
    .where('id', '<', at.before)
    .where('number', '>', 0)
    .orderBy('id', 'desc')
    .limit(at.most),
)

/** Greater than every id. */
const end = 'g'

/** So many projects are asked one by one, each by its index; of more it is cheaper to pass over what is of others. */
const oneByOne = 20

/** Of several projects, newest first; ids grow with time. */
export async function pipelinesAcross(db: Db, filter: AcrossFilter, most: number): Promise<PipelineGlance[]> {
  const { projects, actor, before = end } = filter
  if (projects.length === 0) return []
  if (actor === undefined && projects.length <= oneByOne) {
    const found = await Promise.all(projects.map((project) => inTime(db, { project, before, most })))
    return found
      .flat()
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, most)
  }
  let query = db
    .selectFrom('pipelines')
    .select(glance)
    .where('project_id', 'in', [...projects])
    .where('id', '<', before)
    .where('number', '>', 0)
  if (actor !== undefined) query = query.where('actor_id', '=', actor)
  return query.orderBy('id', 'desc').limit(most).execute()
}

/** Some workflows of a pipeline, newest first, from below one on. */
export const workflowsBelow = statement((db, at: { pipeline: string; below: string; most: number }) =>
  db
    .selectFrom('workflows')
    .selectAll()
    .where('pipeline_id', '=', at.pipeline)
    .where('id', '<', at.below)
    .orderBy('id', 'desc')
    .limit(at.most),
)

/** The workflows of a pipeline, oldest first. */
export const workflowsOf = statement((db, { pipeline }: { pipeline: string }) =>
  db.selectFrom('workflows').selectAll().where('pipeline_id', '=', pipeline).orderBy('id'),
)

/** Whether somebody approved of the commit of a pipeline that needs it: the first job of each of its workflows is that approval. */
export const approvedGateOf = statementForOne((db, { pipeline }: { pipeline: string }) =>
  db
    .selectFrom('workflows')
    .innerJoin('jobs', 'jobs.workflow_id', 'workflows.id')
    .select('jobs.id')
    .where('workflows.pipeline_id', '=', pipeline)
    .where('jobs.position', '=', 0)
    .where('jobs.kind', '=', literal('approval'))
    .where('jobs.status', '=', literal('success'))
    .limit(1),
)
export type WorkflowRow = Selectable<Schema['workflows']>

/** The workflows of some pipelines, in no order. */
export const workflowsOfAll = (db: Db, pipelines: readonly string[]): Promise<WorkflowRow[]> =>
  db
    .selectFrom('workflows')
    .selectAll()
    .where('pipeline_id', 'in', [...pipelines])
    .execute()
