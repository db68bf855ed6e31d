import type { ProjectRow } from '#server/store/projects.ts'
import { keepText } from '#server/store/texts.ts'
import { remember } from './remember.ts'
import type { Revisions } from './revisions.ts'
import { configIn } from './sources.ts'
import type { PipelineOptions } from './trigger.ts'
import type { World } from './world.ts'

/** Finds configurations that lie elsewhere than usual; a file of a commit never changes, so each is read once. */
export function chosenConfigs(world: World, findRevision: Revisions) {
  const known = remember<string, { readonly hash: string | null }>(1_000)

  /** The hash of the text that a pipeline's definition names; null where there is no such file. */
  return async function find(
    project: ProjectRow,
    built: string,
    { path, revision = built }: NonNullable<PipelineOptions['source']>,
  ): Promise<string | null> {
    if (path === undefined) return (await findRevision(project, revision)).configHash
    const key = `${project.id}:${revision}:${path}`
    const seen = known.get(key)
    if (seen) return seen.hash
    const file = await configIn(world, project, revision, path)
    const hash = file ? await world.db.transaction().execute((tx) => keepText(tx, file.text)) : null
    return known.set(key, { hash }).hash
  }
}
