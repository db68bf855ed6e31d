import type { JobStatus } from '#core/job.ts'
import { buildsAcross, buildsOf, jobById, previousBuild, previousSuccess, retriesOf } from '#server/store/jobs.ts'
import { userById, type UserRow } from '#server/store/people.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import { followedProjects, projectById, type ProjectRow } from '#server/store/projects.ts'
import { findWorkflow, type JobRow, type StoredWorkflow } from '#server/store/workflows.ts'
import type { WorkflowId } from '#core/ids.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import type { Revision } from './revisions.ts'

/** A build of generation 1.1 with everything its record tells. */
export interface BuildFacts {
  readonly job: JobRow
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly stored: StoredWorkflow
  readonly revision: Revision | undefined
  readonly actor: UserRow | undefined
  readonly canceler: UserRow | undefined
  readonly retryOf: number | null
  readonly retries: readonly number[]
  readonly previous: JobRow | undefined
  /** Told of single builds only, as it costs a look at the branch's past. */
  readonly previousSuccessful: JobRow | undefined
}

/** Completes a row. */
export async function buildFacts(app: App, project: ProjectRow, job: JobRow, single: boolean): Promise<BuildFacts> {
  const { db } = app.world
  const pipeline = await pipelineById(db, { id: job.pipeline_id })
  const stored = await findWorkflow(db, job.workflow_id as WorkflowId)
  if (!pipeline || !stored) throw new Error(`Cannot tell about job ${job.id}: its pipeline or workflow is gone`)
  const user = async (id: string | null) => (id === null ? undefined : userById(db, { id }))
  const past = { project: project.id, branch: job.branch ?? '', number: job.number ?? 0 }
  const original = job.retry_of === null ? undefined : await jobById(db, { id: job.retry_of })
  return {
    job,
    project,
    pipeline,
    stored,
    revision: await app.findRevision(project, pipeline.revision).catch(() => undefined),
    actor: await user(stored.row.started_by),
    canceler: await user(job.canceled_by ?? stored.row.canceled_by),
    retryOf: original?.number ?? null,
    retries: (await retriesOf(db, { job: job.id })).flatMap(({ number }) => (number === null ? [] : [number])),
    previous: original ?? (job.branch === null ? undefined : await previousBuild(db, past)),
    previousSuccessful: single && job.branch !== null ? await previousSuccess(db, past) : undefined,
  }
}

/** What a list of builds may be narrowed to. */
const filters: Readonly<Record<string, readonly JobStatus[]>> = {
  completed: ['success', 'failed', 'canceled', 'timedout', 'infrastructure_fail', 'retried'],
  successful: ['success'],
  failed: ['failed', 'timedout', 'infrastructure_fail', 'retried'],
  running: ['running', 'queued'],
}

export interface BuildQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly filter?: string | undefined
  readonly branch?: string | undefined
}

const span = ({ limit = 30, offset = 0 }: BuildQuery) => [Math.min(limit, 100), offset] as const

/** Builds of a project or one of its branches, newest first. Filters nobody knows are as none. */
export async function projectBuilds(app: App, project: ProjectRow, query: BuildQuery): Promise<readonly BuildFacts[]> {
  const statuses = Object.hasOwn(filters, query.filter ?? '') ? filters[query.filter ?? ''] : undefined
  const filter = { ...(query.branch !== undefined && { branch: query.branch }), ...(statuses && { statuses }) }
  const rows = await buildsOf(app.world.db, project.id, filter, ...span(query))
  return Promise.all(rows.map((job) => buildFacts(app, project, job, false)))
}

/** Builds of everything a user follows, newest first. */
export async function recentBuilds(app: App, user: User, query: BuildQuery): Promise<readonly BuildFacts[]> {
  const followed = await followedProjects(app.world.db, { user: user.id })
  const rows = await buildsAcross(
    app.world.db,
    followed.map(({ id }) => id),
    ...span(query),
  )
  const byId = new Map(followed.map((project) => [project.id, project]))
  return Promise.all(
    rows.map(async (job) => buildFacts(app, byId.get(job.project_id) ?? (await projectOf(app, job)), job, false)),
  )
}

async function projectOf(app: App, job: JobRow): Promise<ProjectRow> {
  const project = await projectById(app.world.db, { id: job.project_id })
  if (!project) throw new Error(`Cannot find project ${job.project_id}`)
  return project
}
