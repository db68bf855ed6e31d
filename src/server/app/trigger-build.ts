import type { PipelineId, UserId } from '#core/ids.ts'
import { declaredVersion } from '#config/compile.ts'
import { Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { textOf } from '#server/store/texts.ts'
import type { App } from './app.ts'
import { type BuildFacts, buildFacts } from './builds.ts'
import { pipelineWorkflows } from './lists.ts'
import { processPipeline } from './process-pipeline.ts'
import { resolve, type Target, trigger } from './trigger.ts'
import { findWorkflow } from '#server/store/workflows.ts'
import type { WorkflowId } from '#core/ids.ts'

/** What generation 1.1 asks of a build. */
export interface BuildWish {
  readonly job: string
  readonly buildParameters: Readonly<Record<string, string>>
}

/** Triggers one job, alone, and says which build it became (§4.1). Configurations of version 2.1 are not for generation 1.1 (§9.3). */
export async function triggerBuild(
  app: App,
  project: ProjectRow,
  actor: UserId | null,
  target: Target,
  wish: BuildWish,
): Promise<BuildFacts> {
  const { world } = app
  const found = await resolve(world, project, target)
  const { configHash } = await app.findRevision(project, found.revision).catch(() => ({ configHash: null }))
  if (configHash !== null && declaredVersion(await textOf(world.db, configHash)) === '2.1') {
    throw new Refusal(
      'invalid',
      'Cannot trigger a build as its configuration must not declare version 2.1: it does. Trigger a pipeline instead',
    )
  }
  const wanted = {
    type: 'api',
    actor,
    parameters: {},
    options: { job: wish.job, buildParameters: wish.buildParameters },
  } as const
  const { id } = await trigger(
    world,
    project,
    { ...target, revision: target.tag === undefined ? found.revision : undefined },
    wanted,
  )
  // Not left to the loop: the answer must name the build.
  await processPipeline(world, app.compile, id as PipelineId)
  return builtBy(app, project, id)
}

async function builtBy(app: App, project: ProjectRow, id: string): Promise<BuildFacts> {
  const pipeline = await pipelineById(app.world.db, { id })
  const [first] = pipeline ? await pipelineWorkflows(app, pipeline) : []
  const stored = first && (await findWorkflow(app.world.db, first.id as WorkflowId))
  const job = stored && (await jobById(app.world.db, { id: stored.jobs[0]?.id ?? '' }))
  if (job) return buildFacts(app, project, job, true)
  const [error] = JSON.parse(pipeline?.errors ?? '[]') as { readonly message: string }[]
  throw new Refusal('invalid', `Cannot trigger a build: ${error?.message ?? 'the configuration has no such job'}`)
}
