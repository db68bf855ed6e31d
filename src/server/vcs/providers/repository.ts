import { hash } from 'node:crypto'
import type { CommitWord } from '#core/commit-status.ts'
import type { RepositoryName } from '#core/provider-event.ts'
import { ask, askAll, ProviderFailure } from './call.ts'
import type { ProviderTerms } from './terms.ts'

/** What somebody may do with a repository at its provider. */
export type AccessLevel = 'none' | 'read' | 'write' | 'admin'

/** A commit status, in our words. */
export interface CommitStatus {
  readonly revision: string
  /** What it is about: a later one of the same context takes its place. */
  readonly context: string
  readonly status: CommitWord
  readonly description: string
  readonly url: string
}

type Words = Readonly<Record<CommitWord, string>>

const githubStates: Words = {
  pending: 'pending',
  running: 'pending',
  success: 'success',
  failure: 'failure',
  error: 'error',
}
const bitbucketStates: Words = {
  pending: 'INPROGRESS',
  running: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  error: 'STOPPED',
}
const gitlabStates: Words = {
  pending: 'pending',
  running: 'running',
  success: 'success',
  failure: 'failed',
  error: 'canceled',
}

/** The name of the repository that an address leads to: all of the path but its last word is the owner. */
export function repositoryOfUrl(url: string): RepositoryName | undefined {
  const [, path] = /^(?:[a-z]+:\/\/[^/]+\/|[^/@]+@[^/:]+:)(.+?)(?:\.git)?\/?$/.exec(url) ?? []
  const cut = path?.lastIndexOf('/') ?? -1
  return path === undefined || cut <= 0 ? undefined : { owner: path.slice(0, cut), name: path.slice(cut + 1) }
}

/** Where a repository lies in the interface of its provider. */
export function repositoryPath({ kind }: ProviderTerms, { owner, name }: RepositoryName): string {
  if (kind === 'gitlab') return `/projects/${encodeURIComponent(`${owner}/${name}`)}`
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  return kind === 'bitbucket' ? `/repositories/${path}` : `/repos/${path}`
}

/** Tells a provider how a commit stands. */
export async function sendStatus(
  terms: ProviderTerms,
  token: string,
  repository: RepositoryName,
  { revision, context, status, description, url }: CommitStatus,
  signal?: AbortSignal,
): Promise<void> {
  const path = repositoryPath(terms, repository)
  const short = description.slice(0, 140)
  const post = (below: string, body: unknown) => ask(terms, { method: 'POST', path: path + below, body, token }, signal)
  switch (terms.kind) {
    case 'github':
    case 'gitea':
      await post(`/statuses/${revision}`, { state: githubStates[status], target_url: url, description: short, context })
      return
    case 'bitbucket':
      await post(`/commit/${revision}/statuses/build`, {
        // It takes 40 characters, and two contexts may have the same ones.
        key: context.length <= 40 ? context : hash('sha1', context),
        state: bitbucketStates[status],
        name: context,
        url,
        description: short,
      })
      return
    case 'gitlab':
      await post(`/statuses/${revision}`, {
        state: gitlabStates[status],
        name: context,
        target_url: url,
        description: short,
      })
      return
    default:
      terms.kind satisfies never
  }
}

type Told = Readonly<Record<string, unknown>>
const mapOf = (value: unknown, key: string): Told | undefined => (value as Told | undefined)?.[key] as Told | undefined

/** What the owner of a token may do with a repository. One that they cannot see is nothing to them. */
export async function accessOf(
  terms: ProviderTerms,
  token: string,
  repository: RepositoryName,
  signal?: AbortSignal,
): Promise<AccessLevel> {
  try {
    if (terms.kind === 'bitbucket') {
      const q = encodeURIComponent(`repository.full_name="${repository.owner}/${repository.name}"`)
      const found = await askAll(terms, { method: 'GET', path: `/user/permissions/repositories?q=${q}`, token }, signal)
      const level = (found[0] as Told | undefined)?.['permission']
      return level === 'admin' || level === 'write' || level === 'read' ? level : 'none'
    }
    const { value } = await ask(terms, { method: 'GET', path: repositoryPath(terms, repository), token }, signal)
    const permissions = mapOf(value, 'permissions')
    if (terms.kind === 'gitlab') {
      const levels = ['project_access', 'group_access'].map((key) =>
        Number(mapOf(permissions, key)?.['access_level'] ?? 0),
      )
      const highest = Math.max(...levels)
      return highest >= 40 ? 'admin' : highest >= 30 ? 'write' : 'read'
    }
    if (permissions?.['admin'] === true) return 'admin'
    return permissions?.['push'] === true ? 'write' : 'read'
  } catch (error) {
    if (error instanceof ProviderFailure && error.isFinal && error.status !== 401) return 'none'
    throw error
  }
}
