import type { Provider } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import { putConnection } from '#server/store/commit-statuses.ts'
import { putKeyWish } from '#server/store/key-registrations.ts'
import { checkoutKeysOf } from '#server/store/keys.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { addKey } from '#server/vcs/providers/keys.ts'
import { type AccessLevel, accessOf } from '#server/vcs/providers/repository.ts'
import { type Connection, repositoryAtProvider } from './connections.ts'
import { keyTitle, keyWish } from './key-registrations.ts'
import type { World } from './world.ts'

/** What came of connecting a project. */
export interface Connected {
  readonly level: AccessLevel
  /** Whether the provider now lets our checkout key read; false where the token may not say so, or not now. */
  readonly keyAdded: boolean
}

/** Gives a project a token for its provider, once that has said what it opens; and the checkout key its permission to read. */
export async function connect(world: World, project: ProjectRow, token: string): Promise<Connected> {
  const repository = repositoryAtProvider(project)
  const terms = world.terms.providers[project.provider as Provider]
  if (!repository)
    throw new Refusal('invalid', 'Cannot connect this project as its repository must live elsewhere: it is hosted here')
  const level = await asked(() => accessOf(terms, token, repository))
  if (level === 'none')
    throw new Refusal('invalid', 'Cannot use the token as it must open the repository at its provider: it does not')
  await world.db.transaction().execute((tx) => putConnection(tx, project.id, world.seal.close(token), world.now()))
  return { level, keyAdded: await registerKey(world, project, { terms, repository, token }) }
}

/** Tried at once, as somebody waits to hear of it; and where that fails, again by the loop. */
async function registerKey(world: World, project: ProjectRow, { terms, repository, token }: Connection) {
  const keys = await checkoutKeysOf(world.db, { project: project.id })
  const key = keys.find(({ type }) => type !== 'user-key')
  if (!key) return false
  const wish = keyWish(project, key, true)
  try {
    const ours = { title: keyTitle(world), publicKey: key.public_key }
    const remoteId = await addKey(terms, token, { repository }, ours)
    await world.db.transaction().execute((tx) => putKeyWish(tx, wish, world.now(), { remoteId }))
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    world.log.warn('A checkout key cannot be registered', { project: project.id, error: error.message })
    const tried = error.isFinal ? { error: error.message.slice(0, 500) } : undefined
    await world.db.transaction().execute((tx) => putKeyWish(tx, wish, world.now(), tried))
    return false
  }
}

async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Refusal('invalid', error.message)
  }
}
