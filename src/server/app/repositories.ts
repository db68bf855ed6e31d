import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectId } from '#core/ids.ts'
import { allProjects, type ProjectRow } from '#server/store/projects.ts'
import { createBare, repositoryPath, tidyRepository } from '#server/vcs/repositories.ts'
import type { World } from './world.ts'

/** The folder of a project's bare repository: its own, or the mirror of one that lives elsewhere. */
export const repositoryOf = (world: World, project: Pick<ProjectRow, 'id'>): string =>
  repositoryPath(world.repositories, project.id as ProjectId)

/** Tidies every repository up, one after another; safe beside pushes and fetches, and beside other servers. */
export async function tidyRepositories(world: World, signal: AbortSignal): Promise<void> {
  for (const project of await allProjects(world.db)) {
    if (signal.aborted) return
    const path = repositoryOf(world, project)
    if (!existsSync(path)) continue
    await tidyRepository(path, signal).catch((error: unknown) => {
      if (!signal.aborted) world.log.warn('Cannot tidy a repository', { project: project.id, error: String(error) })
    })
  }
}

/** A repository with nothing in it, to show to somebody who is about to push to one that does not exist yet. */
export async function emptyRepository(world: World): Promise<string> {
  const path = join(world.repositories, 'empty.git')
  await createBare(path)
  return path
}
