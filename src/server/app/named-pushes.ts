import type { UserId } from '#core/ids.ts'
import { parseRef } from '#core/refs.ts'
import { Refusal } from '#kit/refusal.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { lockProject, type ProjectRow } from '#server/store/projects.ts'
import { refsOf } from '#server/store/refs.ts'
import { pushTriggersOf } from '#server/store/triggers.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import type { App } from './app.ts'
import { fetchCommit } from './mirrors.ts'
import { isOfFork } from './own-commits.ts'
import { buildable, createFor } from './pushes.ts'
import type { MovedRef } from './refs.ts'
import { type Look, readsFromProvider } from './sources.ts'
import { isAnswered, noteAnswered, type ToldPush, wasAnswered } from './told-pushes.ts'

/** A branch or tag that somebody moved, as a hook tells it. */
export interface NamedPush {
  readonly ref: string
  readonly from?: string
  /** Missing where it was deleted, or where the hook does not say. */
  readonly to?: string
  readonly actor: UserId | null
  /** Whether it may be that the repository does not show yet what the hook tells: then it is looked at again. */
  readonly mayCome: boolean
}

/** What came of them: those that could not be found are left to another look. */
export interface NamedOutcome {
  readonly made: readonly PipelineRow[]
  readonly missing: readonly NamedPush[]
  /** Those of which comparing refs shows all there is to build, each with what it means here. */
  readonly left: ReadonlyMap<NamedPush, ToldPush>
}

/** So many commits that no branch has are fetched at one look; hooks that name what never was could ask for any number. */
const mostFetches = 5

type Found = MovedRef & { readonly to: string }

/**
 * Builds the commits that hooks name and that comparing refs does not show: those that a branch has moved on from before anybody looked, and
 * those that were taken note of without being built; and those that a branch was forced back to. Each push is built once, whoever tells of it
 * and however often. What comparing shows is left to it.
 */
export async function buildNamed(
  app: App,
  project: ProjectRow,
  pushes: readonly NamedPush[],
  look: Look,
  signal: AbortSignal,
): Promise<NamedOutcome> {
  const { refs } = await look()
  const known = await refsOf(app.world.db, project.id)
  const made: PipelineRow[] = []
  const missing: NamedPush[] = []
  const left = new Map<NamedPush, ToldPush>()
  let fetches = 0
  const groups = alike(pushes)
  // A branch that came to the same commit twice was pushed twice: comparing makes one pipeline of that.
  const newest = new Map(groups.map((told) => [`${told[0]?.ref} ${told[0]?.to}`, told]))
  for (const told of groups) {
    const push = told.find(({ mayCome }) => mayCome) ?? told[0]
    const about = push && parseRef(push.ref)
    if (!about || push.to === undefined) continue
    const tip = refs.get(push.ref)
    // Of what is gone again nobody wants to know how it would have been.
    if (tip === undefined) {
      if (push.mayCome && !known.has(push.ref)) missing.push(...told)
      continue
    }
    // The hook of a tag may name the object of the tag instead of its commit.
    const to = about.type === 'tag' ? tip : push.to
    const moved: Found = { ref: push.ref, ...about, from: push.from, to }
    if (to === tip && known.get(push.ref) !== tip && newest.get(`${push.ref} ${push.to}`) === told) {
      left.set(push, moved)
      continue
    }
    if (await isAnswered(app.world, project, moved)) continue
    // Unless somebody tells that it was there already, and was moved on from.
    const isBehind = tip !== to && tip === push.from && !pushes.some(({ ref, from }) => ref === push.ref && from === to)
    const fetch = () => ++fetches <= mostFetches && fetchCommit(app.world, project, to, signal)
    if ((isBehind && push.mayCome) || !(await isThere(app, project, to, fetch))) {
      missing.push(...told)
      continue
    }
    if (!(await isOfFork(app.world, project, to))) made.push(...(await build(app, project, moved, push.actor, tip)))
  }
  if (made.length > 0) app.world.bell.ring('pipelines')
  if (made.length > 0) app.world.bell.ring(`project:${project.id}`)
  return { made, missing, left }
}

/** Those that tell the same stand together: they are looked for once. */
function alike(pushes: readonly NamedPush[]): readonly (readonly NamedPush[])[] {
  return [...Map.groupBy(pushes, ({ ref, from, to }) => `${ref} ${from} ${to}`).values()]
}

/** A commit that no branch has any more may still be had by its name. */
async function isThere(
  { world, findRevision }: App,
  project: ProjectRow,
  revision: string,
  fetch: () => Promise<boolean> | false,
): Promise<boolean> {
  try {
    await findRevision(project, revision)
    return true
  } catch (error) {
    if (error instanceof ProviderFailure && error.isFinal) return false
    // It is there, and cannot be built.
    if (error instanceof Refusal && error.code !== 'not-found') return true
    if (!(error instanceof Refusal)) throw error
  }
  if (readsFromProvider(world, project) || !(await fetch())) return false
  await findRevision(project, revision)
  return true
}

async function build(
  { world, findRevision }: App,
  project: ProjectRow,
  moved: Found,
  actor: UserId | null,
  tip: string,
): Promise<readonly PipelineRow[]> {
  const arrived = await buildable(world, findRevision, project, [moved])
  return world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    if (await wasAnswered(tx, project, moved)) return []
    const triggers = await pushTriggersOf(tx, { project: project.id })
    const options = moved.to === tip ? {} : { passed: true as const }
    const rows: PipelineRow[] = []
    for (const ref of arrived) rows.push(...(await createFor(world, tx, project, ref, { actor, options }, triggers)))
    // What the project does not want now it may want when the hook is processed again.
    if (arrived.length > 0) await noteAnswered(tx, project, moved)
    return rows
  })
}
