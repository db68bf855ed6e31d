import type { JobId, PipelineId, ProjectId, UserId } from '#core/ids.ts'
import { gated } from '#core/gate.ts'
import { plannedJobs } from '#core/new-workflow.ts'
import { withSpinUp } from '#core/spin-up.ts'
import type { TriggerType } from '#core/pipeline.ts'
import type { NotBuilt, Plan } from '#core/plan.ts'
import type { Trust } from '#core/trust.ts'
import { lockPipeline, markSetup, pipelineById, type PipelineRow, updatePipeline } from '#server/store/pipelines.ts'
import { keepNotified } from '#server/store/notices.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { keepBranchSchedules } from './branch-schedules.ts'
import { beginWorkflow } from './begin-workflow.ts'
import { showBuild } from './builds/shown.ts'
import type { CompiledPipeline, pipelineCompiler } from './compile-pipeline.ts'
import { beginSetup } from './continue-pipeline.ts'
import { denials } from './context-use.ts'
import { cancelRedundant } from './redundant.ts'
import { type TextKeeper, textKeeper } from './text-keeper.ts'
import { rightsOf } from './trust.ts'
import { tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** Turns a pending pipeline into workflows, or into an errored one that says why. Repeating it changes nothing. */
export async function processPipeline(
  world: World,
  compile: ReturnType<typeof pipelineCompiler>['compile'],
  id: PipelineId,
): Promise<void> {
  const pipeline = await pipelineById(world.db, { id })
  if (!pipeline || !isPending(pipeline)) return
  const project = await projectById(world.db, { id: pipeline.project_id })
  if (!project) return
  await cancelRedundant(world, project, pipeline)
  const compiled = await compile(project, pipeline, () => noteSetup(world, project, id))
  const told: Told[] = []
  const texts = textKeeper()
  await world.db.transaction().execute(async (tx) => {
    told.length = 0
    texts.begin()
    const locked = await lockPipeline(tx, { id })
    if (locked && isPending(locked)) await keep(world, tx, project, pipeline, compiled, texts, told)
  })
  texts.settle()
  tell(world, told)
  world.bell.ring(`pipeline:${id}`)
  world.bell.ring(`project:${project.id}`)
  // A newer pipeline of the branch may have been faster.
  await cancelRedundant(world, project, pipeline)
}

/** Of a setup it is known from the text alone what it is, and its orbs may take a while. */
async function noteSetup(world: World, project: ProjectRow, id: PipelineId): Promise<void> {
  await world.db.transaction().execute((tx) => markSetup(tx, { id, updated_at: world.now() }))
  world.bell.ring(`pipeline:${id}`)
  world.bell.ring(`project:${project.id}`)
}

const isPending = ({ state }: PipelineRow): boolean => state === 'pending' || state === 'setup-pending'

async function keep(
  world: World,
  tx: Tx,
  project: ProjectRow,
  pipeline: PipelineRow,
  compiled: CompiledPipeline,
  texts: TextKeeper,
  told: Told[],
): Promise<void> {
  const at = world.now()
  const same = { id: pipeline.id, config_hash: compiled.configHash, updated_at: at }
  if (!compiled.ok) {
    await updatePipeline(tx, {
      ...same,
      state: 'errored',
      errors: JSON.stringify(compiled.errors),
      compiled_hash: null,
    })
    return
  }
  // A setup of which nothing runs can never go on: it is a pipeline without workflows.
  const isSetup = compiled.plan.setup && compiled.plan.workflows.length > 0
  const hash = await texts.keep(tx, compiled, () => compiled.text)
  await updatePipeline(tx, { ...same, state: isSetup ? 'setup' : 'created', errors: '[]', compiled_hash: hash })
  if (isSetup) await beginSetup(world, tx, pipeline.id, { setup: compiled.configHash, compiled: hash })
  if (rightsOf(pipeline).decides) await keepBranchSchedules(world, tx, pipeline, compiled.plan)
  await beginAll(world, tx, project, pipeline, compiled.plan, texts, told)
  if (compiled.plan.notBuilt) await showNotBuilt(world, tx, project, pipeline, compiled.plan.notBuilt)
}

/** Generation 1.1 shows a build of what a list of branches kept from being built. */
async function showNotBuilt(
  world: World,
  tx: Tx,
  project: ProjectRow,
  pipeline: PipelineRow,
  dontBuild: NotBuilt,
): Promise<void> {
  const wanted = {
    type: pipeline.trigger_type as TriggerType,
    actor: pipeline.actor_id as UserId | null,
    revision: pipeline.revision,
    branch: pipeline.branch,
    tag: pipeline.tag,
    baseRevision: pipeline.base_revision ?? undefined,
    trust: pipeline.trust as Trust,
    parameters: {},
    options: {},
  }
  await showBuild(world, tx, project, wanted, { status: 'not_run', dontBuild })
}

/** Begins every workflow of a plan, in the transaction that makes the pipeline what it is. */
export async function beginAll(
  world: World,
  tx: Tx,
  project: ProjectRow,
  pipeline: PipelineRow,
  plan: Plan,
  texts: TextKeeper,
  told: Told[],
): Promise<void> {
  const denialOf = await denials(
    world,
    tx,
    { project, pipeline, actor: pipeline.actor_id },
    plan.workflows.flatMap(({ jobs }) => jobs.flatMap(({ contexts }) => contexts)),
  )
  if (plan.notify.length > 0 && rightsOf(pipeline).decides) await keepNotified(tx, pipeline.id, plan.notify)
  const why = whyOf(pipeline)
  const at = world.now()
  // One that has a configuration already goes on from a setup, of which nothing ran before somebody approved.
  const isGated = pipeline.needs_approval === 1 && pipeline.config_hash === null
  for (const workflow of plan.workflows) {
    const planned = isGated ? gated(workflow) : workflow
    const jobs = plannedJobs(planned, () => world.newId() as JobId, denialOf)
    const made = []
    for (const [i, job] of jobs.entries()) {
      const body = planned.jobs[i]?.body
      made.push({
        job,
        why,
        bodyHash: body ? await texts.keep(tx, body, () => JSON.stringify(withSpinUp(body))) : null,
        noTests: plan.noTests === true,
      })
    }
    const about = { pipeline: pipeline.id as PipelineId, project: project.id as ProjectId, branch: pipeline.branch }
    await beginWorkflow(
      world,
      tx,
      {
        ...about,
        name: planned.name,
        tag: plan.setup ? 'setup' : null,
        startedBy: pipeline.actor_id as UserId | null,
        jobs: made,
      },
      at,
      told,
    )
  }
}

/** The short reason of generation 1.1; the view puts the provider's code in the place of `push`. */
function whyOf(pipeline: PipelineRow): string {
  switch (pipeline.trigger_type) {
    case 'webhook':
      return 'push'
    case 'explicit':
      return 'first-build'
    case 'scheduled_pipeline':
      return 'schedule'
    default:
      return 'api'
  }
}

/** Ends a pipeline that cannot be processed, so that it neither waits for ever nor stops the others. */
export async function abandonPipeline(world: World, id: PipelineId, message: string): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    const locked = await lockPipeline(tx, { id })
    if (!locked || !isPending(locked)) return
    const errors = JSON.stringify([{ type: 'other', message }])
    await updatePipeline(tx, {
      id,
      state: 'errored',
      errors,
      config_hash: locked.config_hash,
      compiled_hash: null,
      updated_at: world.now(),
    })
  })
  world.bell.ring(`pipeline:${id}`)
}
