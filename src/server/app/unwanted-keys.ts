import type { Provider } from '#core/names.ts'
import { backoff } from '#kit/backoff.ts'
import { later } from '#kit/brand.ts'
import { connectionOf } from '#server/store/commit-statuses.ts'
import { keyWishesOf } from '#server/store/key-registrations.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import {
  deleteUnwantedKey,
  insertUnwantedKey,
  putOffUnwantedKey,
  takeUnwantedKeys,
  type UnwantedKeyRow,
} from '#server/store/unwanted-keys.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { removeKey } from '#server/vcs/providers/keys.ts'
import { repositoryOfUrl } from '#server/vcs/providers/repository.ts'
import { tokenOf } from './provider-tokens.ts'
import type { World } from './world.ts'

/*
 * A project that is deleted leaves its keys at the provider. They outlive it here as rows of their own, with what is needed to have them
 * removed (its token too, still sealed), and are removed by the loop that registers keys.
 */

const takenMs = 60_000
/** With waits that double up to an hour: about a day. */
const mostAttempts = 30

/** Notes the keys of a project that is about to be deleted, as far as its provider has them or may have them. */
export async function leaveKeys(world: World, tx: Tx, project: ProjectRow): Promise<void> {
  if (project.url === null) return
  const connection = await connectionOf(tx, { project: project.id })
  const at = world.now()
  for (const key of await keyWishesOf(tx, { project: project.id })) {
    // Somebody may be about to register it: then it is looked for once that has ended.
    const mayBeUnderway = key.state === 'pending'
    if (key.remote_id === null && !mayBeUnderway) continue
    await insertUnwantedKey(tx, {
      id: world.newId(),
      provider: key.provider,
      url: project.url,
      kind: key.kind,
      user_id: key.user_id,
      token: connection?.token ?? null,
      public_key: key.public_key,
      remote_id: key.remote_id,
      attempts: 0,
      next_at: key.taken_until !== null && key.taken_until > at ? key.taken_until : at,
      taken_until: null,
    })
  }
}

/** Takes keys of deleted projects that are due. */
export async function takeDueUnwantedKeys(world: World, most: number): Promise<readonly UnwantedKeyRow[]> {
  const now = world.now()
  return world.db.transaction().execute((tx) => takeUnwantedKeys(tx, now, later(now, takenMs), most))
}

/** Has one removed, tries again later, or gives up and says where it stays. */
export async function removeUnwantedKey(world: World, row: UnwantedKeyRow, signal: AbortSignal): Promise<void> {
  const failure = await attempt(world, row, signal)
  if (signal.aborted) return
  const attempts = row.attempts + 1
  const isOver = failure === undefined || failure.isFinal || attempts >= mostAttempts
  if (failure) {
    const about = { kind: row.kind, key: row.public_key, attempts, error: failure.message }
    const words = isOver ? 'stays until somebody removes it there' : 'cannot be removed'
    world.log.warn(`A key of the deleted project at ${row.url} ${words}`, about)
  }
  await world.db.transaction().execute((tx) => {
    if (isOver) return deleteUnwantedKey(tx, row.id)
    const waitMs = failure.retryMs ?? backoff(attempts, 5_000, 3_600_000)
    return putOffUnwantedKey(tx, row.id, attempts, later(world.now(), waitMs))
  })
}

async function attempt(world: World, row: UnwantedKeyRow, signal: AbortSignal): Promise<ProviderFailure | undefined> {
  const terms = world.terms.providers[row.provider as Provider]
  const repository = repositoryOfUrl(row.url)
  try {
    const token = await tokenFor(world, row)
    if (token === undefined || !repository)
      return row.remote_id === null
        ? undefined
        : new ProviderFailure('Cannot remove a key: there is no token for the provider', 401)
    const place = row.kind === 'user' ? 'user' : { repository }
    await removeKey(terms, token, place, { id: row.remote_id, publicKey: row.public_key }, signal)
    return undefined
  } catch (error) {
    if (error instanceof ProviderFailure) return error
    throw error
  }
}

/** A key of a user goes with the user's own token; that of a project with its own, the operator's, or that of whoever lent theirs. */
async function tokenFor(world: World, row: UnwantedKeyRow): Promise<string | undefined> {
  const provider = row.provider as Provider
  if (row.kind !== 'user' && row.token !== null) return world.seal.open(row.token)
  const operators = row.kind === 'user' ? undefined : world.terms.providers[provider].token
  return operators ?? (row.user_id === null ? undefined : tokenOf(world, row.user_id, provider))
}
