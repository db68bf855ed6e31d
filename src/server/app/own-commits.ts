import { decideTrust } from '#core/trust.ts'
import { Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { forkHas, wasBuiltAsOwn } from '#server/store/pulls.ts'
import { isOnBranch } from '#server/vcs/revision.ts'
import { settingsOf } from './project-settings.ts'
import { repositoryOf } from './repositories.ts'
import { readsFromProvider } from './sources.ts'
import type { World } from './world.ts'

/**
 * Refuses to build a commit that was named, and not found by its branch, where it is code of a fork: our mirror has such commits too, and
 * whatever is asked for by name would be trusted with everything that the project has.
 */
export async function checkOwnCommit(world: World, project: ProjectRow, revision: string): Promise<void> {
  // The built-in host has no forks.
  if (project.url === null || (await isOwn(world, project, revision))) return
  const settings = settingsOf(project)
  const verdict = decideTrust({
    source: 'fork',
    origin: 'api',
    actorMayBuild: true,
    buildsForks: settings.buildForkPrs,
    passesSecretsToForks: settings.forksReceiveSecretEnvVars,
  })
  if (!verdict.builds)
    throw new Refusal('invalid', `Cannot build commit ${revision} as it is on no branch: ${verdict.why}`)
}

async function isOwn(world: World, project: ProjectRow, revision: string): Promise<boolean> {
  const at = { project: project.id, revision }
  // Without a mirror nobody can say where a commit comes from, unless it came in a pull request.
  if (readsFromProvider(world, project))
    return !(await forkHas(world.db, at)) || (await wasBuiltAsOwn(world.db, at)) !== undefined
  // One that was pushed away again was the project's own when it was built.
  return (await isOnBranch(repositoryOf(world, project), revision)) || (await wasBuiltAsOwn(world.db, at)) !== undefined
}

/** Whether a commit that a hook names came in the pull request of a fork, and was never the project's own. */
export async function isOfFork(world: World, project: ProjectRow, revision: string): Promise<boolean> {
  return (await forkHas(world.db, { project: project.id, revision })) && !(await isOwn(world, project, revision))
}
