import type { Provider } from '#core/names.ts'
import type { RepositoryName } from '#core/provider-event.ts'
import { connectionOf, deleteConnection } from '#server/store/commit-statuses.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { Db } from '#server/store/schema.ts'
import { repositoryOfUrl } from '#server/vcs/providers/repository.ts'
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

/** Whether the repository of a project lives where its provider is: the word of that counts for no other, nor does it get to hear of it. */
export function isAtProvider({ terms }: World, { url, provider }: ProjectRow): boolean {
  const { hostname } = new URL(terms.providers[provider as Provider].webUrl)
  const [, host] = /^(?:[a-z]+:\/\/(?:[^@/]+@)?|[^@/]+@)(\[[^\]]+\]|[^/:]+)/.exec(url ?? '') ?? []
  return host === hostname
}

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

/** Takes the token away. */
export const disconnect = (world: World, project: ProjectRow): Promise<void> =>
  world.db.transaction().execute((tx) => deleteConnection(tx, project.id))
