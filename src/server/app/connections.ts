import type { Provider } from '#core/names.ts'
import type { RepositoryName } from '#core/provider-event.ts'
import { Refusal } from '#kit/refusal.ts'
import { connectionOf, deleteConnection, putConnection } from '#server/store/commit-statuses.ts'
import { checkoutKeysOf } from '#server/store/keys.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Db } from '#server/store/schema.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { type AccessLevel, accessOf, addDeployKey, repositoryOfUrl } from '#server/vcs/providers/repository.ts'
import type { ProviderTerms } from '#server/vcs/providers/terms.ts'
import type { World } from './world.ts'

/** How a project speaks to its provider. */
export interface Connection {
  readonly terms: ProviderTerms
  readonly repository: RepositoryName
  readonly token: string
}

/** The repository of a project at its provider; nothing where it is hosted here. */
export const repositoryAtProvider = (project: ProjectRow): RepositoryName | undefined =>
  project.url === null ? undefined : repositoryOfUrl(project.url)

/** Whether a project has a token to speak with, its own or the operator's. */
export async function isConnected(world: World, db: Db, project: ProjectRow): Promise<boolean> {
  if (repositoryAtProvider(project) === undefined) return false
  if (world.terms.providers[project.provider as Provider].token !== undefined) return true
  return (await connectionOf(db, { project: project.id })) !== undefined
}

/** How a project speaks to its provider: with its own token, else with the operator's; nothing where there is neither. */
export async function connectionFor(world: World, project: ProjectRow): Promise<Connection | undefined> {
  const terms = world.terms.providers[project.provider as Provider]
  const repository = repositoryAtProvider(project)
  const own = await connectionOf(world.db, { project: project.id })
  const token = own ? world.seal.open(own.token) : terms.token
  return repository && token !== undefined ? { terms, repository, token } : undefined
}

/** What came of connecting a project. */
export interface Connected {
  readonly level: AccessLevel
  /** Whether the provider now lets our checkout key read; false where the token may not say so. */
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
  const [key] = await checkoutKeysOf(world.db, { project: project.id })
  const title = `Roundhouse ${world.terms.baseUrl}`
  const keyAdded =
    key !== undefined &&
    (await addDeployKey(terms, token, repository, { title, publicKey: key.public_key }).then(
      () => true,
      (error: unknown) => {
        world.log.warn('A checkout key cannot be registered', { project: project.id, error: String(error) })
        return false
      },
    ))
  return { level, keyAdded }
}

async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Refusal('invalid', error.message)
  }
}

/** Takes the token away. */
export const disconnect = (world: World, project: ProjectRow): Promise<void> =>
  world.db.transaction().execute((tx) => deleteConnection(tx, project.id))
