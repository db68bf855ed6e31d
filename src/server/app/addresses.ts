import { isOwnHost, names, type Provider, providerCode, type ProviderNames } from '#core/names.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { World } from './world.ts'

type Named = Pick<ProjectRow, 'provider' | 'organization' | 'name'>

type Slugged = Named & Pick<ProjectRow, 'id' | 'organization_id' | 'named_as'>

/** The names of a project's provider, as they are emitted here. */
export const providerOf = (world: World, project: Pick<ProjectRow, 'provider'>): ProviderNames =>
  names[world.terms.dialect].providers[project.provider as Provider]

/** The provider that somebody means by a code; the built-in host has one of its own on the wire. */
export const providerNamed = ({ terms }: Pick<World, 'terms'>, code: string): Provider | undefined =>
  isOwnHost(code) ? terms.hostedAs : providerCode(code)

/**
 * `provider-a/acme/web`, as answers say it. Where an organization was made with the code of the built-in host, ids stand in the place of
 * names: clients tell by that whether they must follow a project at the hosted service before it builds.
 */
export const slugOf = (world: World, project: Slugged): string =>
  project.named_as === null ? nameSlug(providerOf(world, project).short, project) : idSlug(project)

/** The same in events, where the provider's long code stands. */
export const longSlugOf = (world: World, project: Slugged): string =>
  project.named_as === null ? nameSlug(providerOf(world, project).long, project) : idSlug(project)

const nameSlug = (code: string, { organization, name }: Named) => `${code}/${organization}/${name}`
const idSlug = ({ named_as, organization_id, id }: Slugged) => `${named_as}/${organization_id}/${id}`

/** `provider-a/acme`: an organization, as answers say it; its provider is called what it was called when the organization was made. */
export const organizationSlug = (
  world: World,
  { provider, name, named_as }: { provider: string; name: string; named_as: string | null },
): string => `${named_as ?? providerOf(world, { provider }).short}/${name}`

/** Where we have a repository ourselves: the one there is, or the mirror of one that lives elsewhere. */
export const hostedUrl = (world: World, project: Named): string =>
  `${world.terms.baseUrl}/git/${project.organization}/${project.name}.git`

/** Where the repository can be cloned, without credentials. */
export const cloneUrl = (world: World, project: Named & Pick<ProjectRow, 'url'>): string =>
  project.url ?? hostedUrl(world, project)

/** Where a person can look at the repository: of one that is fetched by ssh, the page that its host most likely has. */
export const vcsUrl = (world: World, project: Named & Pick<ProjectRow, 'url'>): string =>
  cloneUrl(world, project)
    .replace(/^ssh:\/\/(?:[^@/]+@)?(\[[^\]]+\]|[^/:]+)(?::\d+)?\//, 'https://$1/')
    .replace(/^[^@/:]+@(\[[^\]]+\]|[^/:]+):\/?/, 'https://$1/')
    .replace(/\.git$/, '')

/** What a push changed; of a new branch, where it begins. Nothing where no push made the pipeline (§2.2). */
export function compareUrl(
  world: World,
  project: Named & Pick<ProjectRow, 'url'>,
  { trigger_type, branch, revision, base_revision }: PipelineRow,
): string | undefined {
  if (trigger_type !== 'webhook' || branch === null) return undefined
  const short = (text: string) => text.slice(0, 12)
  const page = vcsUrl(world, project)
  return base_revision === null
    ? `${page}/commit/${short(revision)}`
    : `${page}/compare/${short(base_revision)}...${short(revision)}`
}

/** The pull request that a branch is of: those that providers make for one name it. */
export function pullRequestOf(
  world: World,
  project: Named & Pick<ProjectRow, 'url'>,
  branch: string | null,
): { readonly number: string; readonly url: string } | undefined {
  const [, number] = /^pull\/(\d+)(?:\/|$)/.exec(branch ?? '') ?? []
  return number === undefined ? undefined : { number, url: `${vcsUrl(world, project)}/pull/${number}` }
}

/** The page of a build of generation 1.1. */
export const buildUrl = (world: World, project: Named, number: number): string =>
  `${world.terms.baseUrl}/${nameSlug(providerOf(world, project).short, project)}/${number}`

/** The page of a pipeline. */
export const pipelineUrl = (world: World, project: Named, number: number): string =>
  `${world.terms.baseUrl}/pipelines/${nameSlug(providerOf(world, project).long, project)}/${number}`

/** The page of a workflow. */
export const workflowUrl = (world: World, project: Named, pipeline: number, workflow: string): string =>
  `${pipelineUrl(world, project, pipeline)}/workflows/${workflow}`
