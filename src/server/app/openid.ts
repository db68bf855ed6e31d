import type { Configuration } from 'openid-client'
import { ownPage } from '#kit/own-page.ts'
import { Refusal } from '#kit/refusal.ts'
import { identityOf, insertIdentity, usersByEmail } from '#server/store/accounts.ts'
import { userById, userByLogin, type UserRow } from '#server/store/people.ts'
import type { Tx } from '#server/store/schema.ts'
import { insertAccount } from './accounts.ts'
import { openSession } from './people.ts'
import type { SignedIn } from './sign-in.ts'
import type { OpenIdTerms, World } from './world.ts'

/** What a provider says of somebody, in the words of OpenID. */
export interface Who {
  readonly iss: string
  readonly sub: string
  readonly [claim: string]: unknown
}

/** Where the provider sends people back to. */
export const openIdCallback = '/sign-in/openid/callback'

/** What must be known again when somebody comes back; only we can read it. */
interface Memo {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly until: number
  /** The page of ours that was asked for before. */
  readonly next: string
}

export const tenMinutesMs = 10 * 60 * 1000

/** Signing in at an OpenID provider: the way there, and the way back. */
export function openIdDoor(world: World, terms: OpenIdTerms) {
  let known: Promise<Configuration> | undefined

  /** What the provider says about itself is asked for once; where it did not answer, the next one asks again. */
  function configuration(): Promise<Configuration> {
    known ??= discover(terms).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  return {
    /** Where to send a browser, and what it must bring back. */
    async begin(wanted?: string): Promise<{ readonly url: URL; readonly memo: string }> {
      const openid = await import('openid-client')
      const memo: Memo = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
        until: Date.parse(world.now()) + tenMinutesMs,
        next: ownPage(wanted),
      }
      const url = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: world.terms.baseUrl + openIdCallback,
        scope: 'openid profile email',
        state: memo.state,
        nonce: memo.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(memo.verifier),
        code_challenge_method: 'S256',
      })
      return { url, memo: closeMemo(world, memo) }
    },

    /** Lets in whoever came back with the right things. */
    async finish(url: URL, memo: string): Promise<SignedIn> {
      const { state, nonce, verifier } = openMemo(world, memo)
      const openid = await import('openid-client')
      const tokens = await openid.authorizationCodeGrant(await configuration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('Cannot sign in: the provider sent no identity')
      return world.db.transaction().execute(async (tx) => {
        const user = await userFor(world, tx, terms.createsUsers, claims)
        return { user, session: await openSession(world, tx, user) }
      })
    },
  }
}

export type OpenIdDoor = ReturnType<typeof openIdDoor>

async function discover({ issuer, clientId, clientSecret }: OpenIdTerms): Promise<Configuration> {
  const openid = await import('openid-client')
  const url = new URL(issuer)
  // Without TLS only on this machine: everywhere else somebody could stand between.
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  const options = { timeout: 10, ...(isHere && { execute: [openid.allowInsecureRequests] }) }
  return openid.discovery(url, clientId, clientSecret, undefined, options)
}

/** Seals it, for a cookie. */
export const closeMemo = (world: World, memo: Memo): string =>
  Buffer.from(world.seal.close(JSON.stringify(memo)), 'base64').toString('base64url')

/** Reads it back; refuses one that is not ours or too old. */
export function openMemo(world: World, sealed: string): Memo {
  let memo: Memo
  try {
    memo = JSON.parse(world.seal.open(sealed)) as Memo
  } catch {
    throw new Refusal('unauthenticated', 'Cannot sign in: this browser did not begin to')
  }
  if (memo.until < Date.parse(world.now())) throw new Refusal('unauthenticated', 'Cannot sign in: it took too long')
  return memo
}

/** The page that somebody wanted before signing in; the first one where nobody knows. */
export function nextIn(world: World, sealed: string): string {
  try {
    return ownPage(openMemo(world, sealed).next)
  } catch {
    return '/'
  }
}

/** Whoever came before; else whoever has the address, if the provider has verified it; else, where that is wanted, a new user. */
export async function userFor(world: World, tx: Tx, createsUsers: boolean, claims: Who): Promise<UserRow> {
  const at = { issuer: claims.iss, subject: claims.sub }
  const before = await identityOf(tx, at)
  const known = before && (await userById(tx, { id: before.user_id }))
  if (known) return known
  const email = typeof claims['email'] === 'string' && claims['email_verified'] === true ? claims['email'] : undefined
  const [same, ...more] = email === undefined ? [] : await usersByEmail(tx, email)
  const found = more.length === 0 ? same : undefined
  if (!found && !createsUsers) throw new Refusal('forbidden', 'Cannot sign in: there is no account here for you')
  const user = found ?? (await insertAccount(world, tx, await formOf(tx, claims, email)))
  await insertIdentity(tx, { ...at, user_id: user.id, created_at: world.now() })
  return user
}

async function formOf(tx: Tx, claims: Who, email: string | undefined) {
  const wish = [claims['preferred_username'], email?.split('@')[0], 'user'].find((text) => typeof text === 'string')
  const plain =
    String(wish)
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, 60) || 'user'
  const name = typeof claims['name'] === 'string' && claims['name'] !== '' ? claims['name'].slice(0, 200) : plain
  return { login: await freeLogin(tx, plain), name, email: email ?? null }
}

async function freeLogin(tx: Tx, plain: string): Promise<string> {
  for (let i = 1; i < 1000; i++) {
    const login = i === 1 ? plain : `${plain}-${i}`
    if (!(await userByLogin(tx, login))) return login
  }
  throw new Refusal('conflict', `Cannot make a user: every login like ${plain} is taken`)
}
