import type { WorkflowId } from '#core/ids.ts'
import { isOver, type JobStatus } from '#core/job.ts'
import type { JobBody } from '#core/plan.ts'
import { artifactsOf } from '#server/store/artifacts.ts'
import {
  buildBefore,
  firstSuccess,
  previousBuild,
  previousSuccess,
  previousSuccessAnywhere,
  retriesOf,
} from '#server/store/build-past.ts'
import { jobById } from '#server/store/jobs.ts'
import { userById, type UserRow } from '#server/store/people.ts'
import { pipelineById, type PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { contextsNamed } from '#server/store/contexts.ts'
import { textOf } from '#server/store/texts.ts'
import { findWorkflow, type JobRow, type StoredWorkflow } from '#server/store/workflows.ts'
import type { App } from '#server/app/app.ts'
import type { Commit } from '#server/vcs/revision.ts'

/** Whether a build is told in a list, or by itself: then its record says more. */
export type BuildForm = 'listed' | 'single'

/** An earlier build, and the one of the same job before that: whether it was a repair depends on it. */
export interface Earlier {
  readonly job: JobRow
  readonly forerunner: JobRow | undefined
}

/** A build of generation 1.1 with everything its record tells. */
export interface BuildFacts {
  readonly form: BuildForm
  readonly job: JobRow
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly stored: StoredWorkflow
  readonly body: JobBody | undefined
  /** Those that its push brought, the newest first; of a build that no push caused, the one it builds. Nothing where git could not tell. */
  readonly commits: readonly Commit[] | undefined
  readonly actor: UserRow | undefined
  readonly canceler: UserRow | undefined
  readonly contexts: readonly string[]
  readonly retryOf: number | null
  readonly retries: readonly number[]
  /** The build before it on its branch, of whatever job; of a retry, what it retries. */
  readonly previous: Earlier | undefined
  /** The build of the same job before it on its branch; of a retry, what it retries. */
  readonly forerunner: JobRow | undefined
  readonly isFirstSuccess: boolean
  readonly hasArtifacts: boolean
  /** Told of single builds only, as lists would become long by it. */
  readonly previousSuccessful: Earlier | undefined
  readonly configuration: string | undefined
}

/** Completes a row: for a list, or for the record of a single build. */
export async function buildFacts(app: App, project: ProjectRow, job: JobRow, form: BuildForm): Promise<BuildFacts> {
  const { db } = app.world
  const pipeline = await pipelineById(db, { id: job.pipeline_id })
  const stored = await findWorkflow(db, job.workflow_id as WorkflowId)
  if (!pipeline || !stored) throw new Error(`Cannot tell about job ${job.id}: its pipeline or workflow is gone`)
  const user = async (id: string | null) => (id === null ? undefined : userById(db, { id }))
  const original = job.retry_of === null ? undefined : await jobById(db, { id: job.retry_of })
  const wanted = JSON.parse(job.contexts) as string[]
  const contexts = wanted.length === 0 ? [] : await contextsNamed(db, project.organization_id, wanted)
  const isSingle = form === 'single'
  return {
    form,
    job,
    project,
    pipeline,
    stored,
    body: job.body_hash === null ? undefined : await app.bodyOf(job),
    commits: await app.findCommits(project, pipeline).catch(() => undefined),
    actor: await user(stored.row.started_by),
    canceler: await user(job.canceled_by ?? stored.row.canceled_by),
    contexts: contexts.map(({ id }) => id),
    retryOf: original?.number ?? null,
    retries: (await retriesOf(db, { job: job.id })).flatMap(({ number }) => (number === null ? [] : [number])),
    previous: await withPast(app, original ?? (await before(app, job))),
    forerunner: original ?? (await forerunnerOf(app, job)),
    isFirstSuccess:
      job.status === 'success' && (await firstSuccess(db, { project: project.id }))?.number === job.number,
    hasArtifacts: (await artifactsOf(db, job.reused_from ?? job.id, app.world.now(), undefined, 1)).length > 0,
    previousSuccessful: isSingle ? await withPast(app, await successBefore(app, job)) : undefined,
    configuration: isSingle && pipeline.config_hash !== null ? await textOf(db, pipeline.config_hash) : undefined,
  }
}

const before = async ({ world }: App, { project_id, branch, number }: JobRow): Promise<JobRow | undefined> =>
  branch === null ? undefined : buildBefore(world.db, { project: project_id, branch, number: number ?? 0 })

const forerunnerOf = async ({ world }: App, job: JobRow): Promise<JobRow | undefined> =>
  job.branch === null
    ? undefined
    : previousBuild(world.db, {
        project: job.project_id,
        branch: job.branch,
        name: job.name,
        number: job.number ?? 0,
      })

async function withPast(app: App, job: JobRow | undefined): Promise<Earlier | undefined> {
  return job && { job, forerunner: await forerunnerOf(app, job) }
}

async function successBefore({ world }: App, job: JobRow): Promise<JobRow | undefined> {
  const at = { project: job.project_id, number: job.number ?? 0 }
  const same = job.branch === null ? undefined : await previousSuccess(world.db, { ...at, branch: job.branch })
  return same ?? previousSuccessAnywhere(world.db, at)
}

/** Whether nothing that the record of a build tells can change, but for what renews its edition. */
export const isSettled = ({ job, previous, forerunner, commits }: BuildFacts): boolean =>
  [job, previous?.job, previous?.forerunner, forerunner].every((one) => !one || isOver(one.status as JobStatus)) &&
  commits !== undefined
