import type { Provider } from '#core/names.ts'
import { type Instant, later } from '#kit/brand.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { grantOf, providerTokenOf, putGrant } from '#server/store/provider-tokens.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { type AccessLevel, accessOf } from '#server/vcs/providers/repository.ts'
import { isAtProvider, repositoryAtProvider } from './connections.ts'
import { tokenOf } from './provider-tokens.ts'
import type { World } from './world.ts'

/** What a provider said is believed for so long, and where it cannot be asked, for so much longer; then it is asked no sooner than that. */
const [believedMs, graceMs, leastWaitMs] = [5 * 60_000, 60 * 60_000, 10_000]

/**
 * What the provider of a project lets a user do with its repository: nothing, unless the operator wants its word to count and the
 * user signed in there. Asked with the user's own token, and remembered; one that is down or wants to be left alone is.
 */
export async function levelAtProvider(world: World, user: string, project: ProjectRow): Promise<AccessLevel> {
  const provider = project.provider as Provider
  const repository = repositoryAtProvider(project)
  if (!world.terms.providerPermissions || !repository || !isAtProvider(world, project)) return 'none'
  const now = world.now()
  const known = await grantOf(world.db, { user, project: project.id })
  if (known && known.expires_at > now) return known.level as AccessLevel
  if (known && known.retry_at !== null && known.retry_at > now) return lastLevel(known, now)
  if (!known && !(await providerTokenOf(world.db, { user, provider }))) return 'none'
  const row = { user_id: user, project_id: project.id }
  try {
    const token = await tokenOf(world, user, provider)
    const level = token === undefined ? 'none' : await accessOf(world.terms.providers[provider], token, repository)
    await keep(world, { ...row, level, expires_at: later(now, believedMs), retry_at: null })
    return level
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    world.log.warn(`A provider cannot be asked what somebody may do: ${error.message}`, { project: project.id, user })
    const isTakenBack = error.status === 401
    const last = known && !isTakenBack ? known : { level: 'none', expires_at: now }
    const retry_at = later(now, Math.max(error.retryMs ?? 0, leastWaitMs))
    await keep(world, { ...row, level: last.level, expires_at: last.expires_at, retry_at })
    return lastLevel(last, now)
  }
}

type Grant = Parameters<typeof putGrant>[1]

const keep = (world: World, row: Grant): Promise<void> => world.db.transaction().execute((tx) => putGrant(tx, row))

/** What was last said, where that is not too long ago. */
export const lastLevel = ({ level, expires_at }: Pick<Grant, 'level' | 'expires_at'>, now: Instant): AccessLevel =>
  later(expires_at as Instant, graceMs) > now ? (level as AccessLevel) : 'none'
