import type { Provider } from '#core/names.ts'
import { type Instant, later } from '#kit/brand.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { grantOf, providerTokenOf, putGrant } from '#server/store/provider-tokens.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { type AccessLevel, accessOf } from '#server/vcs/providers/repository.ts'
import { repositoryAtProvider } from './connections.ts'
import { tokenOf } from './provider-tokens.ts'
import type { World } from './world.ts'

/** What a provider said is believed for so long, and where it cannot be asked, for so much longer. */
const [believedMs, graceMs] = [5 * 60_000, 60 * 60_000]

/**
 * What the provider of a project lets a user do with its repository: nothing, unless the operator wants its word to count and the
 * user signed in there. Asked with the user's own token, and remembered.
 */
export async function levelAtProvider(world: World, user: string, project: ProjectRow): Promise<AccessLevel> {
  const provider = project.provider as Provider
  const repository = repositoryAtProvider(project)
  if (!world.terms.providerPermissions || !repository || !isThere(world, project)) return 'none'
  const now = world.now()
  const known = await grantOf(world.db, { user, project: project.id })
  if (known && known.expires_at > now) return known.level as AccessLevel
  if (!known && !(await providerTokenOf(world.db, { user, provider }))) return 'none'
  try {
    const token = await tokenOf(world, user, provider)
    const level = token === undefined ? 'none' : await accessOf(world.terms.providers[provider], token, repository)
    const row = { user_id: user, project_id: project.id, level, expires_at: later(now, believedMs) }
    await world.db.transaction().execute((tx) => putGrant(tx, row))
    return level
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    world.log.warn('A provider cannot be asked what somebody may do', { project: project.id, error: error.message })
    const isRecent = known && later(known.expires_at as Instant, graceMs) > now
    return isRecent && error.status !== 401 ? (known.level as AccessLevel) : 'none'
  }
}

/** Whether the repository lives where the provider is: its word counts for no other. */
function isThere({ terms }: World, { url, provider }: ProjectRow): boolean {
  const { hostname } = new URL(terms.providers[provider as Provider].webUrl)
  const [, host] = /^(?:[a-z]+:\/\/(?:[^@/]+@)?|[^@/]+@)(\[[^\]]+\]|[^/:]+)/.exec(url ?? '') ?? []
  return host === hostname
}
