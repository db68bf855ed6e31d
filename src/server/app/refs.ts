import { isRefName, parseRef } from '#core/refs.ts'
import { type ProjectRow, setDefaultBranch } from '#server/store/projects.ts'
import { deleteRef, putRef, refsOf as knownRefs } from '#server/store/refs.ts'
import type { Tx } from '#server/store/schema.ts'
import { type Look, lookHere } from './sources.ts'
import type { World } from './world.ts'

/** A branch or tag that is not where it was when we last looked. */
export interface MovedRef {
  readonly ref: string
  readonly type: 'branch' | 'tag'
  readonly name: string
  readonly from: string | undefined
  /** Nothing: it is gone. */
  readonly to: string | undefined
}

/** What changed in a repository since its refs were last noted. */
export async function movedRefs(
  world: World,
  project: ProjectRow,
  look: Look = lookHere(world, project),
  again = false,
): Promise<readonly MovedRef[]> {
  const { refs } = await look(again)
  const known = await knownRefs(world.db, project.id)
  const moved: MovedRef[] = []
  for (const ref of new Set([...refs.keys(), ...known.keys()])) {
    const about = parseRef(ref)
    const [from, to] = [known.get(ref), refs.get(ref)]
    if (about && from !== to) moved.push({ ref, ...about, from, to })
  }
  return moved
}

/** Writes where a ref is now. */
export async function noteRef(world: World, tx: Tx, project: ProjectRow, { ref, to }: MovedRef): Promise<void> {
  if (to === undefined) await deleteRef(tx, project.id, ref)
  else await putRef(tx, project.id, ref, to, world.now())
}

/** Takes note of every ref but those that are named, without building anything. */
export async function noteRefs(
  world: World,
  project: ProjectRow,
  look: Look,
  but: ReadonlySet<string> = new Set(),
): Promise<void> {
  const moved = (await movedRefs(world, project, look)).filter(({ ref }) => !but.has(ref))
  if (moved.length === 0) return
  await world.db.transaction().execute(async (tx) => {
    for (const ref of moved) await noteRef(world, tx, project, ref)
    await settleDefaultBranch(tx, project, moved, look)
  })
}

/** A project whose default branch does not exist takes the likeliest of those that do. */
export async function settleDefaultBranch(
  tx: Tx,
  project: ProjectRow,
  moved: readonly MovedRef[],
  look: Look,
): Promise<void> {
  const known = await knownRefs(tx, project.id)
  if (known.has(`refs/heads/${project.default_branch}`)) return
  const { head } = await look()
  const arrived = moved.filter(({ type, to }) => type === 'branch' && to !== undefined).map(({ name }) => name)
  const choice = [head, 'main', 'master', ...arrived].find(
    (name) => name !== undefined && isRefName(name) && known.has(`refs/heads/${name}`),
  )
  if (choice !== undefined) await setDefaultBranch(tx, project.id, choice)
}
