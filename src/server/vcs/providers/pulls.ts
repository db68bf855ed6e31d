import type { RepositoryName } from '#core/provider-event.ts'
import { isRefName } from '#core/refs.ts'
import { askAll } from './call.ts'
import { repositoryPath } from './repository.ts'
import { at, textAt as wholeTextAt } from './told.ts'
import type { ProviderKind, ProviderTerms } from './terms.ts'

/** An open pull request that comes from a branch of the repository itself. */
export interface OpenPull {
  readonly number: number
  readonly title: string
  readonly url: string
  readonly revision: string
  readonly baseBranch: string
}

const textAt = (value: unknown, ...path: readonly string[]): string => wholeTextAt(value, ...path).slice(0, 1000)

/** Where each provider has what. */
interface Places {
  readonly number: string
  readonly url: readonly string[]
  readonly branch: readonly string[]
  readonly revision: readonly string[]
  readonly base: readonly string[]
  /** What the repositories it comes from and goes to are known by. */
  readonly ids: readonly [readonly string[], readonly string[]]
}

const github: Places = {
  number: 'number',
  url: ['html_url'],
  branch: ['head', 'ref'],
  revision: ['head', 'sha'],
  base: ['base', 'ref'],
  ids: [
    ['head', 'repo', 'id'],
    ['base', 'repo', 'id'],
  ],
}

const places: Readonly<Record<ProviderKind, Places>> = {
  github,
  gitea: github,
  bitbucket: {
    number: 'id',
    url: ['links', 'html', 'href'],
    branch: ['source', 'branch', 'name'],
    revision: ['source', 'commit', 'hash'],
    base: ['destination', 'branch', 'name'],
    ids: [
      ['source', 'repository', 'uuid'],
      ['destination', 'repository', 'uuid'],
    ],
  },
  gitlab: {
    number: 'iid',
    url: ['web_url'],
    branch: ['source_branch'],
    revision: ['sha'],
    base: ['target_branch'],
    ids: [['source_project_id'], ['target_project_id']],
  },
}

/** The open pull requests that come from a branch of the repository itself; a fork may have a branch of the same name. */
export async function openPulls(
  terms: ProviderTerms,
  token: string,
  repository: RepositoryName,
  branch: string,
  signal?: AbortSignal,
): Promise<readonly OpenPull[]> {
  const of = (text: string) => encodeURIComponent(text)
  const query: Readonly<Record<ProviderKind, string>> = {
    github: `/pulls?state=open&per_page=100&head=${of(`${repository.owner}:${branch}`)}`,
    gitea: '/pulls?state=open&limit=50',
    bitbucket: `/pullrequests?q=${of(`source.branch.name="${branch.replaceAll('"', '')}" AND state="OPEN"`)}`,
    gitlab: `/merge_requests?state=opened&per_page=100&source_branch=${of(branch)}`,
  }
  const path = repositoryPath(terms, repository) + query[terms.kind]
  const found = await askAll(terms, { method: 'GET', path, token }, signal)
  return found.flatMap((pull) => toPull(places[terms.kind], pull, branch) ?? [])
}

function toPull(where: Places, told: unknown, branch: string): OpenPull | undefined {
  const number = at(told, where.number)
  const [from, to] = where.ids.map((path) => at(told, ...path))
  const isOwn = from !== undefined && from !== null && from === to
  const baseBranch = textAt(told, ...where.base)
  if (!isOwn || textAt(told, ...where.branch) !== branch || !isRefName(baseBranch)) return undefined
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1 || number > 2 ** 31 - 1)
    return undefined
  const url = textAt(told, ...where.url)
  return {
    number,
    title: textAt(told, 'title'),
    url: /^https?:\/\//.test(url) ? url : '',
    revision: textAt(told, ...where.revision),
    baseBranch,
  }
}
