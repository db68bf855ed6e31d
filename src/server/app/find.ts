import type { WorkflowId } from '#core/ids.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { jobById, jobByNumber } from '#server/store/jobs.ts'
import { userById, type UserRow } from '#server/store/people.ts'
import { pipelineById, pipelineByNumber, type PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { findWorkflow, type JobRow, type StoredWorkflow, workflowWithNumber } from '#server/store/workflows.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { projectOfId, type Right } from './permissions.ts'
import type { Revision } from './revisions.ts'

export type { JobRow, PipelineRow, ProjectRow, StoredWorkflow, UserRow }

/** A pipeline with everything that is told about it. */
export interface PipelineFacts {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  /** Nobody: the service itself. */
  readonly actor: UserRow | undefined
  /** Missing where the commit could not be read. */
  readonly revision: Revision | undefined
}

/** A pipeline by its id, if the caller may. */
export async function pipelineFor(app: App, caller: Caller, right: Right, id: string): Promise<PipelineFacts> {
  const pipeline = orNotFound(await pipelineById(app.world.db, { id }), 'Pipeline')
  const project = await projectOfId(app.world, caller, right, pipeline.project_id, 'Pipeline')
  return pipelineFacts(app, project, pipeline)
}

/** A pipeline by its number in a project that the caller was let into. */
export async function pipelineOf(app: App, project: ProjectRow, number: number): Promise<PipelineFacts> {
  const pipeline = await pipelineByNumber(app.world.db, { project: project.id, number })
  return pipelineFacts(app, project, orNotFound(pipeline, 'Pipeline'))
}

/** Completes a row. What a commit says is shown where it is known, and never waited for from git. */
export async function pipelineFacts(app: App, project: ProjectRow, pipeline: PipelineRow): Promise<PipelineFacts> {
  const [actor, revision] = await Promise.all([
    pipeline.actor_id === null ? undefined : userById(app.world.db, { id: pipeline.actor_id }),
    app.findRevision(project, pipeline.revision).catch(() => undefined),
  ])
  return { project, pipeline, actor, revision }
}

/** A workflow and what it belongs to. */
export interface WorkflowFacts {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly stored: StoredWorkflow
}

/** A workflow by its id, if the caller may. */
export async function workflowFor(app: App, caller: Caller, right: Right, id: string): Promise<WorkflowFacts> {
  const stored = orNotFound(await findWorkflow(app.world.db, id as WorkflowId), 'Workflow')
  const project = await projectOfId(app.world, caller, right, stored.row.project_id, 'Workflow')
  const pipeline = orNotFound(await pipelineById(app.world.db, { id: stored.row.pipeline_id }), 'Pipeline')
  return { project, pipeline, stored }
}

/** A workflow without its jobs, and the number of its pipeline, if the caller may. */
export async function workflowGlanceFor(app: App, caller: Caller, right: Right, id: string) {
  const row = orNotFound(await workflowWithNumber(app.world.db, { id }), 'Workflow')
  const project = await projectOfId(app.world, caller, right, row.project_id, 'Workflow')
  return { project, row, pipeline: { id: row.pipeline_id, number: row.pipeline_number } }
}

/** A job and what it belongs to. */
export interface JobFacts extends WorkflowFacts {
  readonly job: JobRow
}

/** A job by its id, if the caller may. */
export async function jobFor(app: App, caller: Caller, right: Right, id: string): Promise<JobFacts> {
  const job = orNotFound(await jobById(app.world.db, { id }), 'Job')
  await projectOfId(app.world, caller, right, job.project_id, 'Job')
  return { ...(await workflowFor(app, caller, right, job.workflow_id)), job }
}

/** A build by its number in a project that the caller was let into. */
export async function jobOf(app: App, project: ProjectRow, number: number, entity = 'Job'): Promise<JobFacts> {
  const job = orNotFound(await jobByNumber(app.world.db, { project: project.id, number }), entity)
  const stored = await findWorkflow(app.world.db, job.workflow_id as WorkflowId)
  const pipeline = await pipelineById(app.world.db, { id: job.pipeline_id })
  if (!stored || !pipeline) throw new Refusal('not-found', `${entity} not found.`)
  return { project, pipeline, stored, job }
}
