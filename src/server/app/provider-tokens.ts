import type { Provider } from '#core/names.ts'
import { type Instant, later } from '#kit/brand.ts'
import { deleteProviderToken, providerTokenOf, putProviderToken } from '#server/store/provider-tokens.ts'
import type { Tx } from '#server/store/schema.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { type GivenToken, refreshToken } from '#server/vcs/providers/oauth.ts'
import type { World } from './world.ts'

/** A token that ends so soon is as good as over. */
const marginMs = 60_000

/** Keeps the token that somebody gave us when they signed in at a provider, sealed. */
export async function keepToken(
  world: World,
  tx: Tx,
  user: string,
  provider: Provider,
  { access, refresh, expiresInMs }: GivenToken,
): Promise<void> {
  const at = world.now()
  await putProviderToken(tx, {
    user_id: user,
    provider,
    access_token: world.seal.close(access),
    refresh_token: refresh === undefined ? null : world.seal.close(refresh),
    expires_at: expiresInMs === undefined ? null : later(at, expiresInMs),
    updated_at: at,
  })
}

/** The token of a user for a provider, made new where it is over; nothing where they gave none, or it was taken back. */
export async function tokenOf(world: World, user: string, provider: Provider): Promise<string | undefined> {
  const row = await providerTokenOf(world.db, { user, provider })
  if (!row) return undefined
  const isOver = row.expires_at !== null && later(world.now(), marginMs) >= (row.expires_at as Instant)
  if (!isOver) return world.seal.open(row.access_token)
  try {
    if (row.refresh_token === null)
      throw new ProviderFailure('Cannot renew a token: there is nothing to do it with', 401)
    const made = await refreshToken(world.terms.providers[provider], world.seal.open(row.refresh_token))
    await world.db.transaction().execute((tx) => keepToken(world, tx, user, provider, made))
    return made.access
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !error.isFinal) throw error
    world.log.warn('The token of a user for a provider is over', { user, provider, error: error.message })
    await world.db.transaction().execute((tx) => deleteProviderToken(tx, row))
    return undefined
  }
}
