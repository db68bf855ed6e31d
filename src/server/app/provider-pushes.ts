import type { ProjectRow } from '#server/store/projects.ts'
import { refsOf } from '#server/store/refs.ts'
import type { App } from './app.ts'
import { learnPulls } from './learn-pulls.ts'
import { fetchElsewhere } from './mirrors.ts'
import { buildNamed, type NamedOutcome, type NamedPush } from './named-pushes.ts'
import { receivePush } from './pushes.ts'
import { noteRefs } from './refs.ts'
import { noteCompared } from './told-pushes.ts'

/**
 * Fetches a repository that a provider says was pushed to, and builds what hooks name and what moved. What a hook names is news even where
 * nothing was known of the repository before; all else that is found then is not. Commits that a branch has passed come first, so that the
 * newest has the highest number.
 */
export async function lookForPushes(
  app: App,
  project: ProjectRow,
  pushes: readonly NamedPush[],
  signal: AbortSignal,
): Promise<Omit<NamedOutcome, 'left'>> {
  const { world, findRevision } = app
  const look = await fetchElsewhere(world, project, signal)
  const isFirst = (await refsOf(world.db, project.id)).size === 0
  if (isFirst) await noteRefs(world, project, look, new Set(pushes.map(({ ref }) => ref)))
  await learnPulls(world, project, look, signal)
  const named = await buildNamed(app, project, pushes, look, signal)
  const moves = new Map(pushes.map(({ ref, to, actor }) => [`${ref} ${to}`, actor]))
  // Whoever moved it last is the nearest guess, where a hook names another commit than the repository shows.
  const refs = new Map(pushes.map(({ ref, actor }) => [ref, actor]))
  const actorOf = (ref: string, to: string) => moves.get(`${ref} ${to}`) ?? refs.get(ref) ?? null
  const moved = await receivePush(world, findRevision, project, actorOf, look)
  // Of many refs at once comparing builds only some: those that hooks name are pushes of their own.
  const rest = await noteCompared(world, project, named.left, moved)
  const others = rest.length === 0 ? undefined : await buildNamed(app, project, rest, look, signal)
  return {
    made: [...named.made, ...moved, ...(others?.made ?? [])],
    missing: [...named.missing, ...(others?.missing ?? [])],
  }
}
