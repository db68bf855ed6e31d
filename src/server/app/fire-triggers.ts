import { nextCron, readCron } from '#core/cron.ts'
import type { UserId } from '#core/ids.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import { Refusal } from '#kit/refusal.ts'
import { definitionOf } from '#server/store/definitions.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { keepText } from '#server/store/texts.ts'
import { lockTrigger, triggerById, type TriggerRow, updateTrigger } from '#server/store/triggers.ts'
import { hashToken } from './seal.ts'
import { createPipeline, resolve, type Target, type Wanted } from './trigger.ts'
import { targetOf } from './triggers.ts'
import type { World } from './world.ts'

/** What a pipeline of a definition takes from it: the path of its configuration, and the commit that has it. */
export async function sourceOf(
  world: World,
  project: ProjectRow,
  definition: string,
  configRef: Target,
): Promise<Pick<Wanted, 'definition' | 'options'>> {
  const own = await definitionOf(world.db, { project: project.id, id: definition })
  const isNamed = configRef.branch !== undefined || configRef.tag !== undefined
  const from = isNamed ? await resolve(world, project, configRef) : undefined
  const source = {
    ...(own && { path: own.config_path }),
    ...(from && { revision: from.revision, ref: from.branch ?? from.tag ?? '' }),
  }
  return { ...(own && { definition: own.id }), options: Object.keys(source).length === 0 ? {} : { source } }
}

/** Keeps a configuration that somebody brought along, and says under which hash. */
export const keepConfig = (world: World, text: string): Promise<string> =>
  world.db.transaction().execute((tx) => keepText(tx, text))

/** What a trigger's pipeline is wanted for; refuses where branch, tag or repository are gone. */
async function wantedOf(
  world: World,
  project: ProjectRow,
  row: TriggerRow,
  how: Pick<Wanted, 'type'> & { readonly options?: Wanted['options'] },
): Promise<Wanted> {
  const { branch, tag, ...parameters } = JSON.parse(row.parameters ?? '{}') as Record<string, ParameterValue>
  const named = branch === undefined ? (tag === undefined ? {} : { tag: String(tag) }) : { branch: String(branch) }
  const target = row.checkout_ref === '' ? named : targetOf(row.checkout_ref)
  const found = await resolve(world, project, target)
  const { definition, options } = await sourceOf(world, project, row.definition_id, targetOf(row.config_ref))
  return {
    ...found,
    type: how.type,
    actor: row.actor_id as UserId | null,
    parameters,
    options: { ...options, ...how.options },
    ...(definition !== undefined && { definition }),
  }
}

/** What a trigger whose time has come is to make, and how the time is moved on by whoever is first. */
export async function scheduledTrigger(world: World, row: TriggerRow) {
  const project = await projectById(world.db, { id: row.project_id })
  const options = { schedule: { id: row.id, name: row.name === '' ? row.event_name : row.name } }
  const wanted = async () => project && wantedOf(world, project, row, { type: 'scheduled_pipeline', options })
  const claim = async (tx: Tx, at: Parameters<typeof nextCron>[1]) => {
    const locked = await lockTrigger(tx, { id: row.id })
    if (!locked || locked.next_at !== row.next_at || locked.disabled === 1) return false
    const cron = readCron(locked.cron ?? '')
    await updateTrigger(tx, row.id, { next_at: typeof cron === 'string' ? null : (nextCron(cron, at) ?? null) })
    return true
  }
  return { project, wanted, claim }
}

/** Runs a definition because somebody who knows the secret of its webhook asked for it; what they sent is a value of the pipeline. */
export async function fireWebhook(world: World, id: string, secret: string, body: string): Promise<PipelineRow> {
  const row = await triggerById(world.db, { id: id.toLowerCase() })
  // Whoever guesses learns nothing: neither that there is such a trigger, nor that it sleeps.
  if (!row || row.secret_hash === null || row.secret_hash !== hashToken(secret))
    throw new Refusal('not-found', 'Trigger not found.')
  if (row.disabled === 1) throw new Refusal('conflict', 'Cannot run a pipeline: its trigger is disabled')
  const project = await projectById(world.db, { id: row.project_id })
  if (!project) throw new Refusal('not-found', 'Trigger not found.')
  const wanted = await wantedOf(world, project, row, { type: 'webhook', options: { webhook: { body } } })
  const made = await world.db.transaction().execute((tx) => createPipeline(world, tx, project, wanted))
  world.bell.ring('pipelines')
  world.bell.ring(`project:${project.id}`)
  return made
}
