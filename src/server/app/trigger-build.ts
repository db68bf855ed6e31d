import type { PipelineId, UserId, WorkflowId } from '#core/ids.ts'
import { declaredVersion } from '#config/compile.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { keepText, textOf } from '#server/store/texts.ts'
import { findWorkflow, type JobRow } from '#server/store/workflows.ts'
import type { App } from './app.ts'
import { showBuild } from './builds/shown.ts'
import { pipelineWorkflows } from './lists.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { processPipeline } from './process-pipeline.ts'
import { newPipelineRow, resolve, type Target, trigger, type Wanted } from './trigger.ts'

/** What generation 1.1 asks of a build. */
export interface BuildWish {
  readonly job: string
  readonly buildParameters: Readonly<Record<string, string>>
  /** The text of a configuration that runs instead of the one in the repository. */
  readonly config?: string | undefined
}

/** Triggers one job, alone, and says which build it became (§4.1). Configurations of version 2.1 are not for generation 1.1 (§9.3). */
export async function triggerBuild(
  app: App,
  project: ProjectRow,
  actor: UserId | null,
  target: Target,
  wish: BuildWish,
): Promise<JobRow> {
  const { world } = app
  const found = await resolve(world, project, target)
  const given = wish.config
  const config = given === undefined ? undefined : await world.db.transaction().execute((tx) => keepText(tx, given))
  const options = { job: wish.job, buildParameters: wish.buildParameters, ...(config !== undefined && { config }) }
  const wanted: Wanted = { ...found, type: 'api', actor, parameters: {}, options }
  const { configHash } =
    config === undefined
      ? await app.findRevision(project, found.revision).catch(() => ({ configHash: null }))
      : { configHash: config }
  if (configHash !== null && declaredVersion(await textOf(world.db, configHash)) === '2.1') {
    const reason =
      'Cannot trigger a build as its configuration must not declare version 2.1: it does. Trigger a pipeline instead'
    const number = await world.db
      .transaction()
      .execute((tx) => showBuild(world, tx, project, wanted, { status: 'failed', reason }))
    world.bell.ring(`project:${project.id}`)
    throw new Refusal('invalid', `${reason}. Build ${number} shows this`)
  }
  await checkCompiles(app, project, wanted)
  const { id } = await trigger(
    world,
    project,
    { ...target, revision: target.tag === undefined ? found.revision : undefined },
    wanted,
  )
  // Not left to the loop: the answer must name the build.
  await processPipeline(world, app.compile, id as PipelineId)
  return orNotFound(await firstJobOf(app, id), 'Build')
}

/** What cannot become a build is refused before anything is kept of it. */
async function checkCompiles(app: App, project: ProjectRow, wanted: Wanted): Promise<void> {
  const compiled = await app.compile(project, newPipelineRow(app.world, project, wanted, 0))
  if (!compiled.ok)
    throw new Refusal('invalid', `Cannot trigger a build: ${compiled.errors[0]?.message ?? 'it has no configuration'}`)
  if (!compiled.plan.workflows.some(({ jobs }) => jobs.length > 0))
    throw new Refusal('invalid', 'Cannot trigger a build: the configuration has no such job')
}

/** The first build that a pipeline became. */
export async function firstJobOf(app: App, id: string): Promise<JobRow | undefined> {
  const pipeline = await pipelineById(app.world.db, { id })
  const [first] = pipeline ? (await pipelineWorkflows(app, pipeline)).toReversed() : []
  const stored = first && (await findWorkflow(app.world.db, first.id as WorkflowId))
  return stored?.jobs.find(({ number }) => number !== null)
}
