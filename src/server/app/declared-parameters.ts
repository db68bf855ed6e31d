import { declaredParameters } from '#config/pipeline/declared-parameters.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { textOf } from '#server/store/texts.ts'
import type { App } from './app.ts'
import { resolve, type Target } from './trigger.ts'

/** The parameters that the configuration on a branch or a tag declares, for whoever wants to run it. */
export async function parametersOn(app: App, project: ProjectRow, target: Target) {
  const { revision, branch, tag } = await resolve(app.world, project, target)
  const { configHash, configPath } = await app.findRevision(project, revision)
  const source = configHash === null ? '' : await textOf(app.world.db, configHash)
  return { revision, branch, tag, configPath, parameters: declaredParameters(source) }
}
