import { Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { checkoutKeysOf } from '#server/store/secrets.ts'
import { fetchMirror } from '#server/vcs/mirror.ts'
import { noteRefs } from './refs.ts'
import { repositoryOf } from './repositories.ts'
import type { World } from './world.ts'

/** Fetches what is new in a repository that lives elsewhere, with the project's checkout key, and takes note of its refs. */
export async function refresh(world: World, project: ProjectRow): Promise<void> {
  if (project.url === null) return
  const key = await privateKeyOf(world, project)
  try {
    await fetchMirror(repositoryOf(world, project), project.url, key, AbortSignal.timeout(120_000))
  } catch (error) {
    world.log.warn('Cannot fetch a repository', { project: project.id, error: String(error) })
    throw new Refusal(
      'invalid',
      `Cannot fetch ${project.url}: ${error instanceof Error ? error.message : 'git failed'}`,
    )
  }
  await noteRefs(world, project)
}

/** The key that opens the project's repository, where there is one. */
export async function privateKeyOf(world: World, project: ProjectRow): Promise<string | undefined> {
  const keys = await checkoutKeysOf(world.db, project.id)
  const key = keys.find((candidate) => candidate.preferred === 1) ?? keys[0]
  return key && world.seal.open(key.private_key)
}
