import type { Provider } from '#core/names.ts'
import type { ProviderEvent, RepositoryName } from '#core/provider-event.ts'
import { backoff } from '#kit/backoff.ts'
import { type Instant, later } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import { hookById, type HookRow, takeHooks, updateHooks } from '#server/store/hooks.ts'
import { fetchedProjects, projectById, type ProjectRow } from '#server/store/projects.ts'
import { receiverById, type ReceiverRow } from '#server/store/receivers.ts'
import { MalformedHook } from '#server/vcs/hooks/read.ts'
import { translate } from '#server/vcs/hooks/translate.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import type { App } from './app.ts'
import { repositoryAtProvider } from './connections.ts'
import type { NamedPush } from './named-pushes.ts'
import { hastenPoll } from './polls.ts'
import { lookForPushes } from './provider-pushes.ts'
import { userBehind } from './provider-people.ts'
import { mostPipelines } from './pushes.ts'
import { type Outcome, receivePull } from './pulls.ts'
import type { World } from './world.ts'

/** Longer than a fetch may take: a server that dies in it leaves the hook to the next one after this. */
const takenMs = 5 * 60_000
const mostAttempts = 8
const nothing = 'nothing to build'
/** So often a repository is looked at again for a commit that a hook names and that is not there: after 2 s, and after 4 s more. */
const [looksForNamed, againMs] = [2, 2_000]

/** Hooks that concern the same repository, in the order in which they came: it is fetched once for all of them. */
export interface HookBatch {
  readonly project: ProjectRow
  readonly hooks: readonly {
    readonly row: HookRow
    readonly event: Exclude<ProviderEvent, { readonly type: 'ping' | 'other' }>
  }[]
}

/** Takes hooks that wait, settles those that cause nothing, and says what is left to do for each repository. */
export async function takeBatches(
  world: World,
  most: number,
): Promise<{ readonly taken: number; readonly batches: readonly HookBatch[] }> {
  const now = world.now()
  const rows = await world.db.transaction().execute((tx) => takeHooks(tx, now, later(now, takenMs), most))
  const batches = new Map<string, { readonly project: ProjectRow; readonly hooks: HookBatch['hooks'][number][] }>()
  for (const row of rows) {
    const understood = await understand(world, row)
    if ('words' in understood) {
      await settle(world, [row], understood)
      continue
    }
    const { project, event } = understood
    const batch = batches.get(project.id) ?? { project, hooks: [] }
    batches.set(project.id, batch)
    batch.hooks.push({ row, event })
  }
  return { taken: rows.length, batches: [...batches.values()] }
}

type Understood =
  | { readonly project: ProjectRow; readonly event: HookBatch['hooks'][number]['event'] }
  | (Omit<Outcome, 'state'> & { readonly state: Outcome['state'] | 'failed' })

async function understand(world: World, row: HookRow): Promise<Understood> {
  const receiver = await receiverById(world.db, { id: row.receiver_id })
  if (!receiver) return { state: 'ignored', words: 'its receiver is gone' }
  let event: ProviderEvent
  try {
    event = translate(receiver.provider as Provider, row)
  } catch (error) {
    if (!(error instanceof MalformedHook)) throw error
    // Something happened, though nobody can say what.
    if (receiver.project_id !== null) await hastenPoll(world, receiver.project_id)
    return { state: 'failed', words: error.message }
  }
  if (event.type === 'ping') return { state: 'done', words: 'ping' }
  if (event.type === 'other') return { state: 'ignored', words: event.why }
  const project = await projectOf(world, receiver, event.repository)
  const { owner, name } = event.repository
  if (!project) return { state: 'ignored', words: `the organization has no project of the repository ${owner}/${name}` }
  if (project.url === null) return { state: 'ignored', words: 'the repository of the project is hosted here' }
  return { project, event }
}

/** The secret of a project speaks for that project, whatever its repository is called by now; that of an organization for all of its. */
async function projectOf(world: World, receiver: ReceiverRow, at: RepositoryName): Promise<ProjectRow | undefined> {
  if (receiver.project_id !== null) return projectById(world.db, { id: receiver.project_id })
  const path = `${at.owner}/${at.name}`.toLowerCase()
  // A project may have another name than its repository; and of groups in groups only the whole path tells one repository from others.
  const isOf = (project: ProjectRow) => {
    const own = repositoryAtProvider(project)
    return own !== undefined && `${own.owner}/${own.name}`.toLowerCase() === path
  }
  return (await fetchedProjects(world.db, { organization: receiver.organization_id })).find(isOf)
}

/** Does what the hooks of one repository ask for. What fails is tried again, less and less often, and then given up. */
export async function processBatch(app: App, { project, hooks }: HookBatch, signal: AbortSignal): Promise<void> {
  const { world } = app
  try {
    const pushes = await pushesIn(world, project, hooks)
    const { made, missing } = await lookForPushes(app, project, [...pushes.values()].flat(), signal)
    const numbers = made.map(({ number }) => number).toSorted((a, b) => a - b)
    const words = numbers.length === 0 ? nothing : `pipelines ${numbers.join(', ')}`
    await settlePushes(world, project, pushes, words, new Set(missing))
    for (const { row, event } of hooks)
      if (event.type === 'pull-request')
        await settle(world, [row], await receivePull(app, project, event, signal), project)
  } catch (error) {
    const rows = hooks.map(({ row }) => row)
    // Stopped, not failed: whoever comes next begins again.
    if (signal.aborted) await giveBack(world, rows)
    else await retry(world, project, rows, error)
  }
}

/** What each hook of a push says was moved, and by whom. */
async function pushesIn(world: World, project: ProjectRow, hooks: HookBatch['hooks']) {
  const pushes = new Map<HookRow, readonly NamedPush[]>()
  for (const { row, event } of hooks) {
    if (event.type !== 'push') continue
    const actor = await userBehind(world, project.provider, event.actor)
    const mayCome = row.attempts < looksForNamed
    pushes.set(
      row,
      event.changes.slice(0, mostPipelines).map((change) => ({ ...change, actor, mayCome })),
    )
  }
  return pushes
}

/**
 * Writes what came of pushes. A provider may tell of one before its repository shows it: then it is looked at again in a moment. In the end
 * the next poll comes early, which builds what is there by then.
 */
async function settlePushes(
  world: World,
  project: ProjectRow,
  pushes: ReadonlyMap<HookRow, readonly NamedPush[]>,
  words: string,
  missing: ReadonlySet<NamedPush>,
): Promise<void> {
  const at = world.now()
  // Hundreds may stand alike: they are written together.
  const alike = new Map<string, { readonly to: Partial<HookRow>; readonly ids: string[] }>()
  for (const [row, named] of pushes) {
    const lacks = named.find((push) => missing.has(push))
    const to = { ...standing(row, words, lacks, at), taken_until: null, project_id: project.id }
    const key = JSON.stringify(to)
    const group = alike.get(key) ?? { to, ids: [] }
    alike.set(key, group)
    group.ids.push(row.id)
  }
  if (alike.size > 0)
    await world.db.transaction().execute(async (tx) => {
      for (const { to, ids } of alike.values()) await updateHooks(tx, ids, to)
    })
  if ([...missing].some(({ mayCome }) => !mayCome)) await hastenPoll(world, project.id)
}

function standing(row: HookRow, words: string, missing: NamedPush | undefined, at: Instant): Partial<HookRow> {
  // What an earlier look has made is still what came of the hook.
  const [earlier] = /^pipelines [\d, ]+/.exec(row.outcome ?? '') ?? []
  const made = earlier !== undefined && words === nothing ? earlier : words
  if (!missing) return { state: 'done', outcome: made.slice(0, 1000), finished_at: at }
  const why = `${made}: commit ${missing.to} of ${missing.ref} is not in the repository`
  if (!missing.mayCome) return { state: 'done', outcome: why.slice(0, 1000), finished_at: at }
  const attempts = row.attempts + 1
  return { attempts, next_at: later(at, attempts * againMs), outcome: `${why} yet`.slice(0, 1000) }
}

async function settle(
  world: World,
  rows: readonly HookRow[],
  { state, words }: { readonly state: string; readonly words: string },
  project?: ProjectRow,
): Promise<void> {
  for (const row of state === 'done' ? [] : rows)
    world.log.warn(`A hook was ${state}: ${words}`, { hook: row.id, receiver: row.receiver_id, event: row.event })
  const to = { state, outcome: words.slice(0, 1000), finished_at: world.now(), taken_until: null }
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await world.db.transaction().execute((tx) => updateHooks(tx, ids, { ...to, project_id: project?.id ?? null }))
}

/** Leaves hooks to whoever looks next; those that were settled stay so. */
async function giveBack(world: World, rows: readonly HookRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await world.db.transaction().execute((tx) => updateHooks(tx, ids, { taken_until: null }))
}

async function retry(world: World, project: ProjectRow, rows: readonly HookRow[], error: unknown): Promise<void> {
  const words = error instanceof Refusal || error instanceof Error ? error.message : String(error)
  world.log.warn('Hooks cannot be processed', { project: project.id, hooks: rows.length, error: words })
  for (const row of rows) {
    const attempts = row.attempts + 1
    const isOver = attempts >= mostAttempts
    const at = world.now()
    const to = {
      state: isOver ? 'failed' : 'pending',
      attempts,
      next_at: later(
        at,
        (error instanceof ProviderFailure ? error.retryMs : undefined) ?? backoff(attempts, 5_000, 600_000),
      ),
      taken_until: null,
      outcome: words.slice(0, 1000),
      finished_at: isOver ? at : null,
      project_id: project.id,
    }
    await world.db.transaction().execute(async (tx) => {
      // Those of the batch that were settled before the failure stay so.
      if ((await hookById(tx, { id: row.id }))?.state === 'pending') await updateHooks(tx, [row.id], to)
    })
  }
}
