import { nextCron, readCron } from '#core/cron.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import { type Preset, presets } from '#core/presets.ts'
import { checkName, parseRef } from '#core/refs.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { lockProject, type ProjectRow } from '#server/store/projects.ts'
import {
  deleteTrigger,
  insertTrigger,
  lockTrigger,
  triggerById,
  type TriggerRow,
  triggersOf,
  updateTrigger,
} from '#server/store/triggers.ts'
import type { User } from './callers.ts'
import { findDefinition } from './definitions.ts'
import { hashToken, newToken } from './seal.ts'
import type { Target } from './trigger.ts'
import type { World } from './world.ts'

export type { TriggerRow }

/** What may be said of a trigger at any time. */
export interface TriggerForm {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly eventName?: string | undefined
  readonly preset?: string | undefined
  readonly checkoutRef?: string | undefined
  readonly configRef?: string | undefined
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined
  readonly disabled?: boolean | undefined
  readonly sender?: string | undefined
  readonly cron?: string | undefined
  readonly attribution?: 'current' | 'system' | undefined
  /** What it is triggered by, where that is said again: it must be what it was. */
  readonly source?: string | undefined
  readonly repository?: string | undefined
}

/** What a trigger is made of: `webhook`, `schedule`, or the provider of a repository and what it calls that. */
export interface NewTrigger extends TriggerForm {
  readonly source: string
  readonly repository: string
}

const mostTriggers = 100

export async function listTriggers(world: World, project: ProjectRow, id: string): Promise<readonly TriggerRow[]> {
  const definition = await findDefinition(world, project, id)
  return triggersOf(world.db, { project: project.id, definition: definition.id })
}

export async function findTrigger(world: World, project: ProjectRow, id: string): Promise<TriggerRow> {
  const row = await triggerById(world.db, { id: id.toLowerCase() })
  return orNotFound(row?.project_id === project.id ? row : undefined, 'Trigger')
}

/** Makes a trigger. The secret of a webhook is told this once. */
export async function createTrigger(
  world: World,
  user: User,
  project: ProjectRow,
  definitionId: string,
  form: NewTrigger,
): Promise<{ readonly row: TriggerRow; readonly secret?: string }> {
  const definition = await findDefinition(world, project, definitionId)
  const isPush = form.source !== 'webhook' && form.source !== 'schedule'
  if (isPush && definition.id === project.id)
    throw new Refusal('invalid', 'Cannot add a trigger to the usual pipeline definition: every push runs it already')
  const secret = form.source === 'webhook' ? newToken('job').slice(-40) : undefined
  const blank: TriggerRow = {
    id: world.newId(),
    project_id: project.id,
    definition_id: definition.id,
    source: form.source,
    repository: form.repository,
    preset: isPush ? 'all-pushes' : null,
    name: '',
    description: '',
    event_name: '',
    checkout_ref: '',
    config_ref: '',
    parameters: null,
    disabled: 0,
    cron: null,
    actor_id: null,
    sender: form.source === 'webhook' ? '' : null,
    secret_hash: secret === undefined ? null : hashToken(secret),
    next_at: null,
    created_at: world.now(),
  }
  if (form.source === 'schedule' && form.cron === undefined)
    throw new Refusal('invalid', 'Cannot keep a trigger as event_source.schedule.cron_expression must be given')
  const row = { ...blank, ...changesOf(world, user, blank, form) }
  await world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    const present = await triggersOf(tx, { project: project.id, definition: definition.id })
    if (present.length >= mostTriggers)
      throw new Refusal('invalid', `Cannot add a trigger as a definition has at most ${mostTriggers}: it has them`)
    await insertTrigger(tx, row)
  })
  return { row, ...(secret !== undefined && { secret }) }
}

/** Changes what is given; what it is triggered by stays. */
export async function changeTrigger(
  world: World,
  user: User,
  project: ProjectRow,
  id: string,
  form: TriggerForm,
): Promise<TriggerRow> {
  await findTrigger(world, project, id)
  return world.db.transaction().execute(async (tx) => {
    const before = orNotFound(await lockTrigger(tx, { id: id.toLowerCase() }), 'Trigger')
    const to = changesOf(world, user, before, form)
    await updateTrigger(tx, before.id, to)
    return { ...before, ...to }
  })
}

export async function removeTrigger(world: World, project: ProjectRow, id: string): Promise<void> {
  const row = await findTrigger(world, project, id)
  await world.db.transaction().execute((tx) => deleteTrigger(tx, row.id))
}

function changesOf(world: World, user: User, before: TriggerRow, form: TriggerForm): Partial<TriggerRow> {
  const { source } = before
  refuseOther(before, form)
  refuseOdd(source, form)
  const cron = form.cron ?? before.cron
  const disabled = form.disabled === undefined ? before.disabled : form.disabled ? 1 : 0
  return {
    name: form.name ?? before.name,
    description: form.description ?? before.description,
    event_name: form.eventName ?? before.event_name,
    checkout_ref: checkedRef(form.checkoutRef ?? before.checkout_ref),
    config_ref: checkedRef(form.configRef ?? before.config_ref),
    disabled,
    ...(form.preset !== undefined && { preset: checkedPreset(form.preset) }),
    ...(form.parameters !== undefined && { parameters: written(form.parameters) }),
    ...(form.sender !== undefined && { sender: form.sender }),
    ...(form.attribution !== undefined && { actor_id: form.attribution === 'current' ? user.id : null }),
    ...(source === 'schedule' && cron !== null && { cron, next_at: disabled === 1 ? null : nextOf(world, cron) }),
  }
}

function refuseOther(before: TriggerRow, form: TriggerForm): void {
  const source = form.source || before.source
  const repository = form.repository || before.repository
  if (source !== before.source || repository !== before.repository)
    throw new Refusal(
      'invalid',
      `Cannot keep a trigger as its event_source stays ${before.source} of ${before.repository}: it was given as ${source} of ${repository}`,
    )
}

/** Members that mean nothing for what triggers are refused: whoever wrote them expects something of them. */
function refuseOdd(source: string, form: TriggerForm): void {
  const isPush = source !== 'webhook' && source !== 'schedule'
  const odd = [
    ...(isPush ? [] : [['event_preset', form.preset] as const]),
    // None are none, wherever they are said.
    ...(source === 'schedule' || Object.keys(form.parameters ?? {}).length === 0
      ? []
      : [['parameters', true] as const]),
    ...(source === 'schedule' ? [] : [['event_source.schedule', form.cron ?? form.attribution] as const]),
    ...(source === 'webhook' ? [] : [['event_source.webhook', form.sender] as const]),
  ].find(([, value]) => value !== undefined)
  if (odd) throw new Refusal('invalid', `Cannot keep a trigger as ${source} does not support ${odd[0]}: it was given`)
}

const written = (parameters: Readonly<Record<string, ParameterValue>>): string | null =>
  Object.keys(parameters).length === 0 ? null : JSON.stringify(parameters)

function nextOf(world: World, cron: string) {
  const times = readCron(cron)
  if (typeof times === 'string')
    throw new Refusal('invalid', `Cannot keep a trigger as its cron expression is none: ${times}`)
  return nextCron(times, world.now()) ?? null
}

function checkedPreset(word: string): Preset {
  const preset = presets.find((one) => one === word)
  if (preset) return preset
  throw new Refusal(
    'invalid',
    `Cannot keep a trigger as event_preset must be one of ${presets.join(', ')}: of ${JSON.stringify(word)} this service does not hear`,
  )
}

const checkedRef = (ref: string): string => {
  if (ref !== '') targetOf(ref)
  return ref
}

/** What a ref means: a branch or a tag in full, or a branch by its name; nothing: the default branch. */
export function targetOf(ref: string): Target {
  if (ref === '') return {}
  if (!ref.startsWith('refs/')) return { branch: checkName('branch', ref) }
  const parsed = parseRef(ref)
  if (!parsed) throw new Refusal('invalid', `Cannot use ${JSON.stringify(ref)} as a branch or a tag`)
  return parsed.type === 'tag' ? { tag: parsed.name } : { branch: parsed.name }
}
