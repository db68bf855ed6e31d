import type { Provider } from '#core/names.ts'
import { backoff } from '#kit/backoff.ts'
import { later } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  forgetKeyWish,
  type KeyRegistrationRow,
  keyWishesOf,
  putKeyWish,
  releaseKeyWishes,
  renewKeyWish,
  settleKeyWish,
  takeKeyWishes,
} from '#server/store/key-registrations.ts'
import { type CheckoutKeyRow, checkoutKeysOf } from '#server/store/keys.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { releaseUnwantedKeys } from '#server/store/unwanted-keys.ts'
import { fingerprintsOf } from '#server/vcs/keys.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { addKey, type KeyPlace, removeKey } from '#server/vcs/providers/keys.ts'
import { type Connection, connectionFor, repositoryAtProvider } from './connections.ts'
import { tokenOf } from './provider-tokens.ts'
import type { World } from './world.ts'

/*
 * Which keys of ours a provider is to let in is kept as a wish, and made so by a loop: whoever follows a project or deletes a key has
 * their answer at once, and a provider that is down is asked until it has done it.
 */

const takenMs = 60_000
/** With waits that double up to an hour: about a day. */
const mostAttempts = 30

/** What a provider shows beside a key of ours. */
export const keyTitle = ({ terms }: World): string => `Roundhouse ${terms.baseUrl}`

/** A wish about a key of a project, not kept yet. */
export const keyWish = (project: ProjectRow, key: CheckoutKeyRow, wanted: boolean, by?: string) => ({
  project_id: project.id,
  fingerprint: key.fingerprint,
  provider: project.provider,
  kind: key.type === 'user-key' ? 'user' : 'deploy',
  user_id: key.type === 'user-key' ? key.user_id : (by ?? null),
  public_key: key.public_key,
  wanted: wanted ? (1 as const) : (0 as const),
})

/** Wishes that the provider lets a key in, or no longer; nothing where the project is hosted here. True when there is something to do. */
export async function wishKey(
  world: World,
  tx: Tx,
  project: ProjectRow,
  key: CheckoutKeyRow,
  wanted: boolean,
  by?: string,
): Promise<boolean> {
  if (repositoryAtProvider(project) === undefined) return false
  await putKeyWish(tx, keyWish(project, key, wanted, by), world.now())
  return true
}

/** Somebody follows a project: their own keys and those of the project are to be let in. */
export async function wishKeysOf(world: World, tx: Tx, project: ProjectRow, user: string): Promise<boolean> {
  if (repositoryAtProvider(project) === undefined) return false
  const keys = await checkoutKeysOf(tx, { project: project.id })
  const wanted = keys.filter(({ type, user_id }) => type !== 'user-key' || user_id === user)
  for (const key of wanted) await wishKey(world, tx, project, key, true, user)
  return wanted.length > 0
}

/** Somebody no longer follows it: what opens all that they may do is taken away. What opens this repository alone serves the others. */
export async function dropKeysOf(world: World, tx: Tx, project: ProjectRow, user: string): Promise<boolean> {
  const keys = await checkoutKeysOf(tx, { project: project.id })
  const own = keys.filter(({ type, user_id }) => type === 'user-key' && user_id === user)
  for (const key of own) await wishKey(world, tx, project, key, false)
  return own.length > 0
}

/** How a key stands at its provider, and the newer of its fingerprints. */
export interface KeyRegistration {
  readonly row: KeyRegistrationRow
  readonly sha256: string
}

/** How the keys of a project stand at its provider; nothing where it is hosted here. */
export async function registrationsOf(world: World, project: ProjectRow): Promise<readonly KeyRegistration[]> {
  const rows = await keyWishesOf(world.db, { project: project.id })
  return rows.map((row) => ({ row, sha256: fingerprintsOf(row.public_key).sha256 }))
}

/** Asks the provider once more about a key, at once. */
export async function retryRegistration(
  world: World,
  project: ProjectRow,
  by: string,
  fingerprint: string,
): Promise<void> {
  const of = { project: project.id, fingerprint, by }
  const isKnown = await world.db.transaction().execute((tx) => renewKeyWish(tx, of, world.now()))
  if (!isKnown) throw new Refusal('not-found', 'Key registration not found.')
  world.bell.ring('keys')
}

/** Takes wishes that are due. */
export async function takeDueKeys(world: World, most: number): Promise<readonly KeyRegistrationRow[]> {
  const now = world.now()
  return world.db.transaction().execute((tx) => takeKeyWishes(tx, now, later(now, takenMs), most))
}

/** Makes one wish come true, and writes down what came of it. */
export async function grantKey(world: World, row: KeyRegistrationRow, signal: AbortSignal): Promise<void> {
  const result = await attempt(world, row, signal)
  if (signal.aborted) return
  const at = world.now()
  await world.db.transaction().execute(async (tx) => {
    if (result === 'gone') return forgetKeyWish(tx, row)
    if (typeof result === 'object' && 'remoteId' in result)
      return settleKeyWish(tx, row, { ...ended(at), state: 'done', remote_id: result.remoteId, error: null })
    const attempts = row.attempts + 1
    const isOver = result.isFinal || attempts >= mostAttempts
    world.log.warn('A key cannot be registered at its provider', {
      project: row.project_id,
      attempts,
      error: result.message,
    })
    return settleKeyWish(tx, row, {
      ...ended(at),
      state: isOver ? 'dead' : 'pending',
      attempts,
      next_at: later(at, result.retryMs ?? backoff(attempts, 5_000, 3_600_000)),
      error: result.message.slice(0, 500),
    })
  })
}

const ended = (at: string) => ({ taken_until: null, updated_at: at })

type Result = 'gone' | { readonly remoteId: string } | ProviderFailure

async function attempt(world: World, row: KeyRegistrationRow, signal: AbortSignal): Promise<Result> {
  try {
    const speaker = await speakerFor(world, row)
    // Nobody could have registered it.
    if (!speaker && row.wanted === 0 && row.remote_id === null) return 'gone'
    if (!speaker) return new ProviderFailure('Cannot register a key: there is no token for the provider', 401)
    const { terms, token } = speaker
    const place: KeyPlace = row.kind === 'user' ? 'user' : { repository: speaker.repository }
    if (row.wanted === 1) {
      const key = { title: keyTitle(world), publicKey: row.public_key }
      return { remoteId: await addKey(terms, token, place, key, signal) }
    }
    await removeKey(terms, token, place, { id: row.remote_id, publicKey: row.public_key }, signal)
    return 'gone'
  } catch (error) {
    if (error instanceof ProviderFailure) return error
    throw error
  }
}

/** Who may ask for it: the project, with its token; for a key of a user, or where the project has none, the user. */
async function speakerFor(world: World, row: KeyRegistrationRow): Promise<Connection | undefined> {
  const project = await projectById(world.db, { id: row.project_id })
  const repository = project && repositoryAtProvider(project)
  if (!project || !repository) return undefined
  const own = row.kind === 'deploy' ? await connectionFor(world, project) : undefined
  if (own) return own
  const token = row.user_id === null ? undefined : await tokenOf(world, row.user_id, project.provider as Provider)
  return token === undefined
    ? undefined
    : { terms: world.terms.providers[project.provider as Provider], repository, token }
}

/** After the death of the only server: what it was asking for is asked for again at once. */
export const resumeKeys = (world: World): Promise<void> =>
  world.db.transaction().execute(async (tx) => {
    await releaseKeyWishes(tx)
    await releaseUnwantedKeys(tx)
  })
