import type { UserId } from '#core/ids.ts'
import { skipsCi } from '#core/pipeline.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { lockProject, projectById, type ProjectRow } from '#server/store/projects.ts'
import { branchesInPulls } from '#server/store/pulls.ts'
import { refsOf } from '#server/store/refs.ts'
import type { Tx } from '#server/store/schema.ts'
import { pushTriggersOf } from '#server/store/triggers.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { settingsOf } from './project-settings.ts'
import { type MovedRef, movedRefs, noteRef, settleDefaultBranch } from './refs.ts'
import type { Revisions } from './revisions.ts'
import { showBuild } from './builds/shown.ts'
import { wantedByTriggers } from './push-triggers.ts'
import { type Look, lookHere } from './sources.ts'
import { createPipeline, type Wanted } from './trigger.ts'
import type { World } from './world.ts'

/** More pipelines than this from one push are nobody's wish: the first push of an old repository brings all of its tags. */
export const mostPipelines = 50

/**
 * Finds out what a push changed by comparing the repository with the refs we know, and starts a pipeline for each branch and tag that moved,
 * in the transaction that takes note of them. Nothing that git accepted can be forgotten: if we die first, the next look finds it.
 */
export async function receivePush(
  world: World,
  findRevision: Revisions,
  project: ProjectRow,
  actor: UserId | null | ActorOf,
  look: Look = lookHere(world, project),
): Promise<readonly PipelineRow[]> {
  const actorOf: ActorOf = typeof actor === 'function' ? actor : () => actor
  for (let count = 0; count < mostLooks; count++) {
    const moved = await movedRefs(world, project, look, count > 0)
    if (moved.length === 0) return []
    const arrived = await buildable(world, findRevision, project, moved)
    const made = await world.db.transaction().execute((tx) => note(world, tx, project, actorOf, moved, arrived, look))
    // Somebody else noticed some of it first: what is left of it shows at the next look.
    if (!made) continue
    if (made.length > 0) world.bell.ring('pipelines')
    world.bell.ring(`project:${project.id}`)
    return made
  }
  throw new Error(`Cannot note a push to project ${project.id}: others moved its refs at each of ${mostLooks} looks`)
}

/** Says who moved a ref to a commit. */
export type ActorOf = (ref: string, to: string) => UserId | null

const mostLooks = 50

/** A ref that points at a commit, whether that asks not to be built, and whether it has a configuration in the usual place. */
export type Arrived = MovedRef & { readonly to: string; readonly skips: boolean; readonly hasConfig: boolean }

async function note(
  world: World,
  tx: Tx,
  project: ProjectRow,
  actorOf: ActorOf,
  moved: readonly MovedRef[],
  arrived: readonly Arrived[],
  look: Look,
): Promise<readonly PipelineRow[] | undefined> {
  await lockProject(tx, { id: project.id })
  const known = await refsOf(tx, project.id)
  if (moved.some(({ ref, from }) => known.get(ref) !== from)) return undefined
  for (const ref of moved) await noteRef(world, tx, project, ref)
  await settleDefaultBranch(tx, project, moved, look)
  const rows: PipelineRow[] = []
  const triggers = await pushTriggersOf(tx, { project: project.id })
  for (const ref of arrived)
    rows.push(...(await createFor(world, tx, project, ref, { actor: actorOf(ref.ref, ref.to), options: {} }, triggers)))
  return rows
}

/** Makes the pipelines of one ref that was pushed, in the transaction that decides so: that of the project, and those that triggers want. */
export async function createFor(
  world: World,
  tx: Tx,
  project: ProjectRow,
  ref: Arrived,
  { actor, options }: Pick<Wanted, 'actor' | 'options'>,
  triggers: Awaited<ReturnType<typeof pushTriggersOf>>,
): Promise<readonly PipelineRow[]> {
  const wanted: Wanted = {
    revision: ref.to,
    branch: ref.type === 'branch' ? ref.name : null,
    tag: ref.type === 'tag' ? ref.name : null,
    baseRevision: ref.type === 'branch' ? ref.from : undefined,
    type: 'webhook',
    actor,
    parameters: {},
    options,
  }
  if (ref.skips) {
    await showBuild(world, tx, project, wanted, { status: 'not_run', dontBuild: 'ci-skip' })
    return []
  }
  const rows: PipelineRow[] = []
  // Whoever has definitions of their own need not have a configuration where it usually lies.
  if (triggers.length === 0 || ref.hasConfig) rows.push(await createPipeline(world, tx, project, wanted))
  for (const other of await wantedByTriggers(tx, project, triggers, ref, wanted))
    rows.push(await createPipeline(world, tx, project, other))
  return rows
}

/** Which of the refs that moved are built: those that the project wants, as far as they point at a commit. */
export async function buildable(
  world: World,
  findRevision: Revisions,
  project: ProjectRow,
  moved: readonly MovedRef[],
): Promise<readonly Arrived[]> {
  if (!settingsOf(project).buildsPushes) return []
  const isWanted = await wantedRefs(world, project)
  const there = moved.filter((ref) => ref.to !== undefined && isWanted(ref)).toSorted(branchesFirst)
  const arrived: Arrived[] = []
  for (const { to = '', ...ref } of there.slice(0, mostPipelines)) {
    try {
      const { commit, configHash } = await findRevision(project, to)
      arrived.push({ ...ref, to, skips: skipsCi(commit.subject, commit.body), hasConfig: configHash !== null })
    } catch (error) {
      // It may answer the next time: nothing is noted before it did.
      if (error instanceof ProviderFailure && !error.isFinal) throw error
      // A tag of something that is no commit builds nothing.
      world.log.warn('Cannot build a ref', { project: project.id, ref: ref.ref, error: String(error) })
    }
  }
  if (there.length > mostPipelines)
    world.log.warn('A push moved more refs than are built', {
      project: project.id,
      refs: there.length,
      built: mostPipelines,
    })
  return arrived
}

/** Where only pull requests are built: tags, the branches that are named, and those that an open pull request comes from. */
async function wantedRefs({ db }: World, project: ProjectRow): Promise<(ref: MovedRef) => boolean> {
  const { buildPrsOnly, prOnlyBranchOverrides } = settingsOf(project)
  if (!buildPrsOnly) return () => true
  const branches = new Set([...prOnlyBranchOverrides, ...(await branchesInPulls(db, project.id))])
  return ({ type, name }) => type === 'tag' || branches.has(name)
}

const branchesFirst = (a: MovedRef, b: MovedRef): number =>
  a.type === b.type ? (a.name < b.name ? -1 : 1) : a.type === 'branch' ? -1 : 1

/** Looks at every repository of the built-in host for pushes that were accepted but not yet noted when the server died. */
export async function recoverPushes(world: World, findRevision: Revisions): Promise<void> {
  const hosted = await world.db.selectFrom('projects').select('id').where('url', 'is', null).execute()
  for (const { id } of hosted) {
    const project = await projectById(world.db, { id })
    if (!project) continue
    try {
      await receivePush(world, findRevision, project, null)
    } catch (error) {
      world.log.error('Cannot look for pushes', { project: id, error: String(error) })
    }
  }
}
