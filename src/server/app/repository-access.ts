import type { Provider } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import { connectionOf } from '#server/store/commit-statuses.ts'
import { checkoutKeysOf } from '#server/store/keys.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { checkGitUrl } from '#server/vcs/git-url.ts'
import type { MirrorAccess } from '#server/vcs/mirror.ts'
import type { ProviderKind } from '#server/vcs/providers/terms.ts'
import { outsideAddresses } from './guard.ts'
import type { World } from './world.ts'

/** By what name each provider takes a token in the place of a password, when git asks over HTTP. */
const tokenUser: Readonly<Record<ProviderKind, string>> = {
  github: 'x-access-token',
  gitea: 'x-access-token',
  bitbucket: 'x-token-auth',
  gitlab: 'oauth2',
}

/**
 * What opens an address for git: the project's key where it is the project's own repository, and the project's own token where it is at the
 * project's provider, which alone decides what that token may read. The operator's token opens nothing here: it would open every repository
 * that the operator may read to whoever adds a project of its address.
 */
export async function accessTo(world: World, project: ProjectRow, url: string): Promise<MirrorAccess> {
  const address = await allowedAddress(world, url)
  // The key is for the project's own repository: nobody else's host gets to see a signature of it.
  const key = url === project.url ? await privateKeyOf(world, project) : undefined
  const token = await tokenFor(world, project, url)
  const { kind } = world.terms.providers[project.provider as Provider]
  return { key, address, ...(token !== undefined && { password: `${tokenUser[kind]}:${world.seal.open(token)}` }) }
}

/** The project's own token, still sealed, where it is for this address. */
async function tokenFor({ db, terms }: World, project: ProjectRow, url: string): Promise<string | undefined> {
  if (!isBelow(url, terms.providers[project.provider as Provider].webUrl)) return undefined
  return (await connectionOf(db, { project: project.id }))?.token
}

/** Whether the project's repository is fetched with a token, which no job gets to see: jobs that cannot do without read it through us. */
export const isOpenedByToken = async (world: World, project: ProjectRow): Promise<boolean> =>
  project.url !== null && (await tokenFor(world, project, project.url)) !== undefined

const isBelow = (url: string, webUrl: string): boolean =>
  /^https?:/.test(url) && new URL(url).origin === new URL(webUrl).origin

/** The one address of a repository's host that is then connected to. A host inside our own network must be allowed by the operator. */
async function allowedAddress({ terms, resolve }: World, url: string): Promise<string> {
  const allowed = terms.repositoryHosts
  const { host, port } = checkGitUrl(url)
  const isAllowed = allowed.includes(host) || allowed.includes(`${host}:${port}`)
  try {
    const [first] = await outsideAddresses(host.replace(/^\[|\]$/g, ''), isAllowed, resolve)
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
