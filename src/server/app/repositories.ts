import type { ProjectId } from '#core/ids.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { repositoryPath } from '#server/vcs/repositories.ts'
import type { World } from './world.ts'

/** The folder of a project's bare repository: its own, or the mirror of one that lives elsewhere. */
export const repositoryOf = (world: World, project: Pick<ProjectRow, 'id'>): string =>
  repositoryPath(world.repositories, project.id as ProjectId)
