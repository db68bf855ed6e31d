import { ownPage } from '#kit/own-page.ts'

/** The three parts of the name of a project. */
export interface Slug {
  readonly provider: string
  readonly org: string
  readonly repo: string
}

/** Reads `provider/org/repo`. */
export function toSlug(text: string): Slug {
  const [provider = '', org = '', ...rest] = text.split('/')
  return { provider, org, repo: rest.join('/') }
}

/** Writes `provider/org/repo`. */
export const slugText = ({ provider, org, repo }: Slug): string => `${provider}/${org}/${repo}`

const join = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => `/${encodeURIComponent(part)}`).join('')

/** The page of the pipelines of a project. */
export const pipelinesPage = ({ provider, org, repo }: Slug): string => join('pipelines', provider, org, repo)

/** Which pipelines a list shows; what is absent is not asked for. */
export interface PipelineFilter {
  readonly project?: string | undefined
  readonly branch?: string | undefined
  readonly look?: string | undefined
  readonly mine?: boolean | undefined
  readonly page?: string | undefined
}

/** The query of an address that says which pipelines a list shows. */
export function filterText(filter: PipelineFilter): string {
  const { project = '', branch = '', look = '', mine = false, page = '' } = filter
  const words = Object.entries({ project, branch, look, mine: mine ? '1' : '', page }).filter(([, word]) => word !== '')
  return words.length === 0 ? '' : `?${new URLSearchParams(words).toString()}`
}

/** Which pipelines the query of an address asks for. */
export const filterIn = (search: URLSearchParams): PipelineFilter => ({
  project: search.get('project') ?? undefined,
  branch: search.get('branch') ?? undefined,
  look: search.get('look') ?? undefined,
  mine: search.get('mine') === '1',
  page: search.get('page') ?? undefined,
})

/** The page of all pipelines that the reader may see, or of some. */
export const allPipelinesPage = (filter: PipelineFilter = {}): string => `/pipelines${filterText(filter)}`

/** The page of one pipeline. */
export const pipelinePage = (slug: Slug, number: number | string): string => pipelinesPage(slug) + join(number)

/** The page of one workflow. */
export const workflowPage = (slug: Slug, number: number | string, workflow: string): string =>
  pipelinePage(slug, number) + join('workflows', workflow)

/** The page of one job. */
export const jobPage = (slug: Slug, number: number | string, workflow: string, job: string): string =>
  workflowPage(slug, number, workflow) + join('jobs', job)

/** The address of a build of generation 1.1, which leads to the page of the job that it is. */
export const buildPage = ({ provider, org, repo }: Slug, number: number): string => join(provider, org, repo, number)

const projectPage = ({ provider, org, repo }: Slug, ...rest: readonly string[]): string =>
  join('projects', provider, org, repo, ...rest)

/** The page of the settings of a project, or of one section of them. */
export const projectSettingsPage = (slug: Slug, ...section: readonly string[]): string =>
  projectPage(slug, 'settings', ...section)

/** The page of the insights of a project. */
export const insightsPage = (slug: Slug): string => projectPage(slug, 'insights')

/** The page on which a pipeline is run with its parameters. */
export const runPage = (slug: Slug): string => projectPage(slug, 'run')

/** The page of an organization, or of one section of it. */
export const organizationPage = (id: string, ...section: readonly string[]): string =>
  join('organizations', id, ...section)

/** The page of whoever reads it. */
export const userPage = (section: string): string => join('user', section)

/** The page of everything that has some words. */
export const searchPage = (words: string, kind?: string): string =>
  `/search?${new URLSearchParams({ q: words, ...(kind !== undefined && { kind }) }).toString()}`

/** The project that a page is about, if it is about one. */
export function projectIn(path: string): Slug | undefined {
  const [, provider, org, repo] = /^\/(?:pipelines|projects)\/([^/]+)\/([^/]+)\/([^/]+)/.exec(path) ?? []
  if (provider === undefined || org === undefined || repo === undefined) return undefined
  try {
    return { provider: decodeURIComponent(provider), org: decodeURIComponent(org), repo: decodeURIComponent(repo) }
  } catch {
    return undefined
  }
}

/** Where somebody goes who has signed in: where they are, or from the page to sign in to what its address says. */
export const afterSignIn = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  pathname === '/sign-in' ? ownPage(new URLSearchParams(search).get('next')) : pathname + search + hash

/** The way to sign in at a provider, and back to where somebody wanted to go. */
export const signInWay = (path: string, location: Pick<Location, 'pathname' | 'search' | 'hash'>): string => {
  const next = afterSignIn(location)
  return next === '/' ? path : `${path}?${new URLSearchParams({ next }).toString()}`
}
