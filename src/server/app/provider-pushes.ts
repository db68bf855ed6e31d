import type { RefChange } from '#core/provider-event.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { refsOf } from '#server/store/refs.ts'
import type { App } from './app.ts'
import { learnPulls } from './learn-pulls.ts'
import { fetchElsewhere } from './mirrors.ts'
import { type ActorOf, receivePush } from './pushes.ts'
import { noteRefs } from './refs.ts'

/**
 * Fetches a repository that a provider says was pushed to, and builds what moved. What the hook says moved is news even where nothing was
 * known of the repository before; all else that is found then is not.
 */
export async function lookForPushes(
  { world, findRevision }: App,
  project: ProjectRow,
  changes: readonly RefChange[],
  actorOf: ActorOf,
  signal: AbortSignal,
): Promise<readonly PipelineRow[]> {
  const look = await fetchElsewhere(world, project, signal)
  const isFirst = (await refsOf(world.db, project.id)).size === 0
  if (isFirst) await noteRefs(world, project, look, new Set(changes.map(({ ref }) => ref)))
  await learnPulls(world, project, look, signal)
  return receivePush(world, findRevision, project, actorOf, look)
}
