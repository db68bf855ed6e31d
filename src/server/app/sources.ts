import { existsSync } from 'node:fs'
import type { Provider } from '#core/names.ts'
import { configPaths } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { commitAt } from '#server/vcs/providers/commits.ts'
import { fileAt, type Speaker } from '#server/vcs/providers/contents.ts'
import { refsAt } from '#server/vcs/providers/refs.ts'
import { type Refs, refsOf } from '#server/vcs/refs.ts'
import { type ConfigFile, configAt, largestConfig, readRevision, type Revision } from '#server/vcs/revision.ts'
import { connectionFor, isAtProvider, repositoryAtProvider } from './connections.ts'
import { settingsOf } from './project-settings.ts'
import { repositoryOf } from './repositories.ts'
import type { World } from './world.ts'

/*
 * Where what must be known of a repository before a job runs is read: from git (ours, or a mirror of one that lives elsewhere), or, where the
 * project or the operator wants no mirror, from the interface of its provider. Jobs check out by git all the same.
 */

/** Whether a project is read through the interface of its provider: as it was decided for it, else as the operator wants it. */
export function readsFromProvider(world: World, project: ProjectRow): boolean {
  const wanted = settingsOf(project).source ?? world.terms.source ?? 'git'
  return wanted === 'provider' && isAtProvider(world, project)
}

/** Refuses to read a project through a provider that does not have its repository. */
export function checkSource(world: World, project: ProjectRow, wanted: 'git' | 'provider'): void {
  if (wanted === 'provider' && !isAtProvider(world, project))
    throw new Refusal(
      'invalid',
      'Cannot read the project through its provider as its repository must live there: it does not',
    )
}

/** Says where the branches and tags of a repository are; `again`: as they are now, not as they were when the look began. */
export type Look = (again?: boolean) => Promise<Refs>

/** Looks into the repository that lies here. */
export const lookHere =
  (world: World, project: ProjectRow): Look =>
  () =>
    refsOf(repositoryOf(world, project))

/** Looks at the provider: once, however often it is asked for, unless it is to be asked again. */
export async function lookAtProvider(world: World, project: ProjectRow, signal: AbortSignal): Promise<Look> {
  const speaker = await speakerFor(world, project)
  const read = () => refsAt(speaker, project.default_branch, signal)
  let seen = await read()
  return async (again = false) => {
    if (again) seen = await read()
    return seen
  }
}

/** Public repositories may be read without a token. */
async function speakerFor(world: World, project: ProjectRow): Promise<Speaker> {
  const connection = await connectionFor(world, project)
  if (connection) return connection
  const repository = repositoryAtProvider(project)
  if (!repository) throw new Refusal('invalid', 'Cannot ask the provider: the repository of the project is hosted here')
  return { terms: world.terms.providers[project.provider as Provider], repository }
}

/** Reads a commit and the configuration in it. */
export async function revisionIn(world: World, project: ProjectRow, revision: string): Promise<Revision> {
  const path = repositoryOf(world, project)
  if (!readsFromProvider(world, project)) return readRevision(path, revision)
  try {
    const speaker = await speakerFor(world, project)
    const commit = await commitAt(speaker, revision)
    for (const place of configPaths) {
      const text = await fileAt(speaker, { revision, path: place }, largestConfig)
      if (text !== undefined) return { commit, config: { path: place, text } }
    }
    return { commit, config: undefined }
  } catch (error) {
    // Commits of forks are fetched, as their jobs read our mirror; not every provider shows them in the repository they were sent to.
    const isElsewhere = error instanceof Refusal && error.code === 'not-found' && existsSync(path)
    if (isElsewhere) return readRevision(path, revision)
    throw error
  }
}

/** Reads one file of a commit as a configuration; nothing where there is none of that name. */
export async function configIn(
  world: World,
  project: ProjectRow,
  revision: string,
  place: string,
): Promise<ConfigFile | undefined> {
  if (!readsFromProvider(world, project)) return configAt(repositoryOf(world, project), revision, place)
  const text = await fileAt(await speakerFor(world, project), { revision, path: place }, largestConfig)
  return text === undefined ? undefined : { path: place, text }
}
