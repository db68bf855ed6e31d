import { ProviderFailure } from './call.ts'
import type { ProviderKind, ProviderTerms } from './terms.ts'

interface Place {
  readonly authorize: string
  readonly token: string
  /** To know who came. */
  readonly scope: string
  /** Also to know what they may do, and to register their keys. */
  readonly wide: string
}

const places: Readonly<Record<ProviderKind, Place>> = {
  github: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'read:user user:email',
    wide: 'read:user user:email repo admin:public_key',
  },
  gitea: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'read:user',
    wide: 'write:user write:repository',
  },
  bitbucket: {
    authorize: '/site/oauth2/authorize',
    token: '/site/oauth2/access_token',
    scope: 'account email',
    wide: 'account:write email repository:admin',
  },
  gitlab: { authorize: '/oauth/authorize', token: '/oauth/token', scope: 'read_user', wide: 'api' },
}

/** What a provider gives for a code, or for a token that is over. */
export interface GivenToken {
  readonly access: string
  readonly refresh?: string | undefined
  /** How long it is good; nothing: until it is taken back. */
  readonly expiresInMs?: number | undefined
}

/** Where somebody says to a provider that we may know who they are; with `isWide`, also act for them. */
export function signInUrl(
  { kind, webUrl, client }: ProviderTerms,
  with_: { readonly redirect: string; readonly state: string; readonly challenge: string; readonly isWide?: boolean },
): string {
  const { authorize, scope, wide } = places[kind]
  const query = new URLSearchParams({
    client_id: client?.id ?? '',
    redirect_uri: with_.redirect,
    response_type: 'code',
    scope: with_.isWide === true ? wide : scope,
    state: with_.state,
    code_challenge: with_.challenge,
    code_challenge_method: 'S256',
  })
  return `${webUrl}${authorize}?${query.toString()}`
}

/** Turns the code that a browser brought back into a token. */
export const exchangeCode = (
  terms: ProviderTerms,
  given: { readonly redirect: string; readonly code: string; readonly verifier: string },
): Promise<GivenToken> =>
  askForToken(terms, {
    grant_type: 'authorization_code',
    code: given.code,
    redirect_uri: given.redirect,
    code_verifier: given.verifier,
  })

/** Turns what came beside a token that is over into a new one. */
export const refreshToken = (terms: ProviderTerms, refresh: string): Promise<GivenToken> =>
  askForToken(terms, { grant_type: 'refresh_token', refresh_token: refresh })

async function askForToken(
  { kind, webUrl, client }: ProviderTerms,
  form: Readonly<Record<string, string>>,
): Promise<GivenToken> {
  if (!client) throw new ProviderFailure('Cannot sign in: the provider does not know us', 401)
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
  let answer: Response
  try {
    answer = await fetch(webUrl + places[kind].token, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
      headers: { accept: 'application/json', ...(kind === 'bitbucket' && { authorization: `Basic ${basic}` }) },
      body: new URLSearchParams({
        ...form,
        ...(kind !== 'bitbucket' && { client_id: client.id, client_secret: client.secret }),
      }),
    })
  } catch {
    throw new ProviderFailure('Cannot sign in: the provider cannot be reached')
  }
  const told = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = told
  // GitHub answers 200 with an error where the code is wrong.
  const status = answer.ok && typeof told['error'] === 'string' ? 400 : answer.status
  if (status >= 300 || typeof access !== 'string')
    throw new ProviderFailure(`Cannot sign in: the provider answered ${status} without a token`, status)
  return {
    access,
    ...(typeof refresh === 'string' && { refresh }),
    ...(typeof seconds === 'number' && seconds > 0 && { expiresInMs: seconds * 1000 }),
  }
}
