import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Provider } from '#core/names.ts'
import { ownPage } from '#kit/own-page.ts'
import { Refusal } from '#kit/refusal.ts'
import { ask, askAll } from '#server/vcs/providers/call.ts'
import { exchangeCode, signInUrl } from '#server/vcs/providers/oauth.ts'
import type { ProviderTerms } from '#server/vcs/providers/terms.ts'
import { closeMemo, openMemo, tenMinutesMs, userFor, type Who } from './openid.ts'
import { openSession } from './people.ts'
import { keepToken } from './provider-tokens.ts'
import type { SignedIn } from './sign-in.ts'
import type { World } from './world.ts'

/** Where a provider sends people back to. */
export const providerCallback = (code: Provider): string => `/sign-in/${code}/callback`

/** The providers at which people may sign in. */
export const signInProviders = ({ terms }: World): readonly Provider[] =>
  (['provider-a', 'provider-b', 'provider-c'] as const).filter((code) => terms.providers[code].client !== undefined)

const random = () => randomBytes(32).toString('base64url')

/**
 * Signing in at a provider: the way there, and the way back. The token that it gives is used to ask who came, and
 * then forgotten, unless the operator wants the provider to say what people may do.
 */
export function providerDoor(world: World, code: Provider) {
  const terms = world.terms.providers[code]
  const redirect = world.terms.baseUrl + providerCallback(code)
  return {
    /** Where to send a browser, and what it must bring back. */
    begin(wanted?: string): { readonly url: string; readonly memo: string } {
      const until = Date.parse(world.now()) + tenMinutesMs
      const memo = { state: random(), nonce: code, verifier: random(), until, next: ownPage(wanted) }
      const challenge = hash('sha256', memo.verifier, 'base64url')
      const url = signInUrl(terms, {
        redirect,
        state: memo.state,
        challenge,
        isWide: world.terms.providerPermissions,
      })
      return { url, memo: closeMemo(world, memo) }
    },

    /** Lets in whoever came back with the right things. */
    async finish(url: URL, sealed: string): Promise<SignedIn> {
      const memo = openMemo(world, sealed)
      const [state, given] = [url.searchParams.get('state') ?? '', url.searchParams.get('code') ?? '']
      const isSame = timingSafeEqual(hash('sha256', state, 'buffer'), hash('sha256', memo.state, 'buffer'))
      if (!isSame || memo.nonce !== code || given === '')
        throw new Refusal('unauthenticated', 'Cannot sign in: this browser did not begin to')
      const token = await exchangeCode(terms, { redirect, code: given, verifier: memo.verifier })
      const who = await whoIs(terms, token.access)
      return world.db.transaction().execute(async (tx) => {
        const user = await userFor(world, tx, world.terms.providersCreateUsers, who)
        if (world.terms.providerPermissions) await keepToken(world, tx, user.id, code, token)
        return { user, session: await openSession(world, tx, user) }
      })
    },
  }
}

type Told = Readonly<Record<string, unknown>>

/** Who has a token: by an id that does not change, with an address only where the provider has verified it. */
async function whoIs(terms: ProviderTerms, token: string): Promise<Who> {
  const me = (await ask(terms, { method: 'GET', path: '/user', token })).value as Told
  const id = me[terms.kind === 'bitbucket' ? 'uuid' : 'id']
  if (typeof id !== 'string' && typeof id !== 'number') throw new Error('Cannot sign in: the provider sent no identity')
  const email = await emailOf(terms, token, me)
  return {
    iss: terms.webUrl,
    sub: String(id),
    preferred_username: me['login'] ?? me['username'] ?? me['nickname'],
    name: me['name'] ?? me['full_name'] ?? me['display_name'],
    email,
    email_verified: email !== undefined,
  }
}

async function emailOf(terms: ProviderTerms, token: string, me: Told): Promise<string | undefined> {
  if (terms.kind === 'gitlab') {
    const isConfirmed = typeof me['confirmed_at'] === 'string' && typeof me['email'] === 'string'
    return isConfirmed ? (me['email'] as string) : undefined
  }
  const all = (await askAll(terms, { method: 'GET', path: '/user/emails', token })) as readonly Told[]
  const own = all.find(
    (one) => (one['primary'] ?? one['is_primary']) === true && (one['verified'] ?? one['is_confirmed']) === true,
  )
  return typeof own?.['email'] === 'string' ? own['email'] : undefined
}
