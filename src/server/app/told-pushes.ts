import { parseRef } from '#core/refs.ts'
import { insertTold, timesPushed, toldFrom } from '#server/store/pushed.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { lockProject, type ProjectRow } from '#server/store/projects.ts'
import type { Db, Tx } from '#server/store/schema.ts'
import type { World } from './world.ts'

/** One push that a hook told of, of a ref to a commit. A ref that comes back to a commit it had comes from another one: that is another push. */
export interface ToldPush {
  readonly ref: string
  readonly from: string | undefined
  readonly to: string
}

const keyOf = (project: ProjectRow, { ref, from = '', to }: ToldPush) => ({ project: project.id, ref, from, to })

/** Whether a push has had its pipelines, and if so, whether that is noted. */
type Standing = 'noted' | 'built' | 'new'

/**
 * How a push stands. Comparing refs makes pipelines too, and does not know which push it saw: so of the pipelines that a commit has on its
 * branch each answers one push that is told.
 */
async function standingOf(db: Db, project: ProjectRow, push: ToldPush): Promise<Standing> {
  const { ref, to } = push
  const known = await toldFrom(db, { project: project.id, ref, to })
  if (known.some(({ from }) => from === (push.from ?? ''))) return 'noted'
  const about = parseRef(ref)
  if (!about) return 'new'
  return known.length < (await timesPushed(db, { project: project.id, ...about, revision: to })) ? 'built' : 'new'
}

/** Whether a push has had its pipelines, in the transaction that would make them; takes note of it. */
export async function wasAnswered(tx: Tx, project: ProjectRow, push: ToldPush): Promise<boolean> {
  const standing = await standingOf(tx, project, push)
  if (standing === 'built') await noteAnswered(tx, project, push)
  return standing !== 'new'
}

/** Takes note that a push has its pipelines, in the transaction that makes them. */
export const noteAnswered = (tx: Tx, project: ProjectRow, push: ToldPush): Promise<void> =>
  insertTold(tx, keyOf(project, push))

/** Whether a push has had its pipelines, before anything is fetched for it; takes note of it. */
export async function isAnswered(world: World, project: ProjectRow, push: ToldPush): Promise<boolean> {
  const standing = await standingOf(world.db, project, push)
  if (standing !== 'built') return standing === 'noted'
  return world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    return wasAnswered(tx, project, push)
  })
}

/** Takes note of pushes that were left to comparing, once it has made what it makes of them; says of which that is nothing. */
export async function noteCompared<Push>(
  world: World,
  project: ProjectRow,
  pushes: ReadonlyMap<Push, ToldPush>,
  made: readonly PipelineRow[],
): Promise<readonly Push[]> {
  if (pushes.size === 0) return []
  const isMade = ({ ref, to }: ToldPush) => {
    const about = parseRef(ref)
    return made.some(
      ({ branch, tag, revision }) => revision === to && about?.name === (about?.type === 'tag' ? tag : branch),
    )
  }
  return world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    const rest: Push[] = []
    for (const [named, push] of pushes) {
      // Only what somebody else made is looked for among all pipelines of the branch.
      if (isMade(push)) await noteAnswered(tx, project, push)
      else if (!(await wasAnswered(tx, project, push))) rest.push(named)
    }
    return rest
  })
}
