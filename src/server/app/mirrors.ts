import type { Provider } from '#core/names.ts'
import type { PullRequest } from '#core/provider-event.ts'
import { Refusal } from '#kit/refusal.ts'
import { checkoutKeysOf } from '#server/store/keys.ts'
import { pollOf } from '#server/store/polls.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { receiversOf } from '#server/store/receivers.ts'
import { refsOf as knownRefs } from '#server/store/refs.ts'
import { GitFailure } from '#server/vcs/git.ts'
import { checkGitUrl } from '#server/vcs/git-url.ts'
import { inTurn } from '#server/vcs/in-turn.ts'
import { fetchMirror, fetchRevision } from '#server/vcs/mirror.ts'
import { branchRef, fetchPullHead } from '#server/vcs/pull-head.ts'
import { outsideAddresses } from './guard.ts'
import { noteRefs } from './refs.ts'
import { repositoryOf } from './repositories.ts'
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
  const address = await allowedAddress(project.url, world.terms.repositoryHosts)
  const key = await privateKeyOf(world, project)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const { url } = project
  const path = repositoryOf(world, project)
  await inTurn(path, () => fetchMirror(path, url, { key, address }, limit))
  return lookHere(world, project)
}

/** Fetches the head of a pull request and says which commit that is. */
export async function fetchPull(
  world: World,
  project: ProjectRow,
  pull: Pick<PullRequest, 'number' | 'head'>,
  signal: AbortSignal,
): Promise<string> {
  const from = pullSource(world, project, pull)
  const address = await allowedAddress(from.url, world.terms.repositoryHosts)
  // The key is for the project's own repository: nobody else's host gets to see a signature of it.
  const key = from.url === project.url ? await privateKeyOf(world, project) : undefined
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const path = repositoryOf(world, project)
  return inTurn(path, () => fetchPullHead(path, { ...from, number: pull.number }, { key, address }, limit))
}

/** Fetches one commit that no branch has any more, for as long as its provider still shows it by its name; says whether it did. */
export async function fetchCommit(
  world: World,
  project: ProjectRow,
  revision: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (project.url === null || readsFromProvider(world, project)) return false
  const { url } = project
  const address = await allowedAddress(url, world.terms.repositoryHosts)
  const key = await privateKeyOf(world, project)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const path = repositoryOf(world, project)
  try {
    await inTurn(path, () => fetchRevision(path, url, revision, { key, address }, limit))
    return true
  } catch (error) {
    if (error instanceof GitFailure) return false
    throw error
  }
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

/** The one address of a repository's host that is then connected to. A host inside our own network must be allowed by the operator. */
async function allowedAddress(url: string, allowed: readonly string[]): Promise<string> {
  const { host, port } = checkGitUrl(url)
  const isAllowed = allowed.includes(host) || allowed.includes(`${host}:${port}`)
  try {
    const [first] = await outsideAddresses(host.replace(/^\[|\]$/g, ''), isAllowed)
    return first?.address ?? ''
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('invalid', `the host ${host} is inside of our own network, and not among repository-hosts`)
  }
}

/** The key that opens the project's repository, where there is one. */
export async function privateKeyOf(world: World, project: ProjectRow): Promise<string | undefined> {
  const keys = await checkoutKeysOf(world.db, { project: project.id })
  const key = keys.find((candidate) => candidate.preferred === 1) ?? keys[0]
  return key && world.seal.open(key.private_key)
}
