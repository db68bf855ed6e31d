import type { Provider } from '#core/names.ts'
import type { PullRequest } from '#core/provider-event.ts'
import { Refusal } from '#kit/refusal.ts'
import { pollOf } from '#server/store/polls.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { receiversOf } from '#server/store/receivers.ts'
import { refsOf as knownRefs } from '#server/store/refs.ts'
import { GitFailure } from '#server/vcs/git.ts'
import { inTurn } from '#server/vcs/in-turn.ts'
import { fetchMirror, fetchRevision } from '#server/vcs/mirror.ts'
import { branchRef, fetchPullHead } from '#server/vcs/pull-head.ts'
import { noteRefs } from './refs.ts'
import { repositoryOf } from './repositories.ts'
import { accessTo } from './repository-access.ts'
import { type Look, lookAtProvider, lookHere, readsFromProvider } from './sources.ts'
import type { World } from './world.ts'

const longestMs = 120_000

/**
 * Fetches what is new in a repository that lives elsewhere and says where its refs are. What moved is left to the next poll,
 * which builds it; a project that is not polled, or was never looked at, takes note of it here.
 */
export async function refresh(world: World, project: ProjectRow): Promise<ReadonlyMap<string, string>> {
  let look: Look
  try {
    look = await fetchElsewhere(world, project, AbortSignal.timeout(longestMs))
  } catch (error) {
    world.log.warn('Cannot fetch a repository', { project: project.id, error: String(error) })
    throw new Refusal(
      'invalid',
      `Cannot fetch ${project.url}: ${error instanceof Error ? error.message : 'git failed'}`,
    )
  }
  if (!(await isWatched(world, project)) || (await knownRefs(world.db, project.id)).size === 0)
    await noteRefs(world, project, look)
  return (await look()).refs
}

/** Whether somebody looks at what moved: a poll, or whoever processes the hooks that tell of it. */
async function isWatched({ db }: World, project: ProjectRow): Promise<boolean> {
  if (await pollOf(db, { project: project.id })) return true
  const receivers = await receiversOf(db, { organization: project.organization_id })
  return receivers.some(({ project_id: of }) => of === null || of === project.id)
}

/**
 * Fetches what is new with the project's checkout key, from an address that was looked at and allowed; or asks the provider where that is
 * wanted instead. Says how to look at what there is now.
 */
export async function fetchElsewhere(world: World, project: ProjectRow, signal: AbortSignal): Promise<Look> {
  if (project.url === null) return lookHere(world, project)
  if (readsFromProvider(world, project)) return lookAtProvider(world, project, signal)
  await fetchAll(world, project, project.url, signal)
  return lookHere(world, project)
}

/** When each mirror was last fetched by this process, on a clock that nobody sets. */
const fetchedAt = new WeakMap<World, Map<string, number>>()

/** Fetches every branch and tag; where `freshMs` is given, only if that was not done so lately. */
export async function fetchAll(
  world: World,
  project: ProjectRow,
  url: string,
  signal: AbortSignal,
  freshMs = 0,
): Promise<void> {
  const times = fetchedAt.get(world) ?? new Map<string, number>()
  fetchedAt.set(world, times)
  const isFresh = () => performance.now() - (times.get(project.id) ?? -Infinity) < freshMs
  if (isFresh()) return
  const access = await accessTo(world, project, url)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const path = repositoryOf(world, project)
  await inTurn(path, async () => {
    // The nodes of a job ask all at once: what one has fetched is there for the others.
    if (isFresh()) return
    await fetchMirror(path, url, access, limit)
    times.set(project.id, performance.now())
  })
}

/** Fetches the head of a pull request and says which commit that is. */
export async function fetchPull(
  world: World,
  project: ProjectRow,
  pull: Pick<PullRequest, 'number' | 'head'>,
  signal: AbortSignal,
): Promise<string> {
  const from = pullSource(world, project, pull)
  const access = await accessTo(world, project, from.url)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const path = repositoryOf(world, project)
  try {
    return await inTurn(path, () => fetchPullHead(path, { ...from, number: pull.number }, access, limit))
  } catch (error) {
    throw error instanceof GitFailure ? unreadable(pull.number, from, error) : error
  }
}

/** Fetches one commit that no branch has any more, for as long as its provider still shows it by its name; says whether it did. */
export async function fetchCommit(
  world: World,
  project: ProjectRow,
  revision: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (project.url === null) return false
  const { url } = project
  const access = await accessTo(world, project, url)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const path = repositoryOf(world, project)
  try {
    await inTurn(path, () => fetchRevision(path, url, revision, access, limit))
    return true
  } catch (error) {
    if (error instanceof GitFailure) return false
    throw error
  }
}

/** What git says of a fork that cannot be read, in words for whoever looks at the hook; anything else may pass. */
function unreadable(number: number, from: { readonly url: string; readonly ref: string }, error: GitFailure): Error {
  const cannot = `Cannot fetch pull request ${number}:`
  if (/couldn't find remote ref/i.test(error.stderr))
    return new Refusal('not-found', `${cannot} ${from.url} does not show ${from.ref}`)
  if (/not found|404|403|401|access denied|authentication failed|could not read|permission denied/i.test(error.stderr))
    return new Refusal('not-found', `${cannot} ${from.url} is gone, or not shown to us any more`)
  return error
}

function pullSource(world: World, project: ProjectRow, { number, head }: Pick<PullRequest, 'number' | 'head'>) {
  const { kind, webUrl } = world.terms.providers[project.provider as Provider]
  const url = project.url ?? ''
  if (kind === 'github' || kind === 'gitea') return { url, ref: `refs/pull/${number}/head` }
  if (kind === 'gitlab') return { url, ref: `refs/merge-requests/${number}/head` }
  // Bitbucket has no such refs: the fork itself is asked.
  if (!head.repository) throw new Refusal('not-found', `Cannot fetch pull request ${number}: its repository is gone`)
  const { owner, name } = head.repository
  return { url: `${webUrl}/${owner}/${name}.git`, ref: branchRef(head.branch) }
}
