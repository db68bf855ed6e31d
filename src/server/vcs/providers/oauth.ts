import { ProviderFailure } from './call.ts'
import type { ProviderKind, ProviderTerms } from './terms.ts'

const places: Readonly<
  Record<ProviderKind, { readonly authorize: string; readonly token: string; readonly scope: string }>
> = {
  github: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', scope: 'read:user user:email' },
  gitea: { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token', scope: 'read:user' },
  bitbucket: { authorize: '/site/oauth2/authorize', token: '/site/oauth2/access_token', scope: 'account email' },
  gitlab: { authorize: '/oauth/authorize', token: '/oauth/token', scope: 'read_user' },
}

/** Where somebody says to a provider that we may know who they are. */
export function signInUrl(
  { kind, webUrl, client }: ProviderTerms,
  with_: { readonly redirect: string; readonly state: string; readonly challenge: string },
): string {
  const { authorize, scope } = places[kind]
  const query = new URLSearchParams({
    client_id: client?.id ?? '',
    redirect_uri: with_.redirect,
    response_type: 'code',
    scope,
    state: with_.state,
    code_challenge: with_.challenge,
    code_challenge_method: 'S256',
  })
  return `${webUrl}${authorize}?${query.toString()}`
}

/** Turns the code that a browser brought back into a token. */
export async function exchangeCode(
  { kind, webUrl, client }: ProviderTerms,
  given: { readonly redirect: string; readonly code: string; readonly verifier: string },
): Promise<string> {
  if (!client) throw new ProviderFailure('Cannot sign in: the provider does not know us')
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
  const answer = await fetch(webUrl + places[kind].token, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
    headers: { accept: 'application/json', ...(kind === 'bitbucket' && { authorization: `Basic ${basic}` }) },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: given.code,
      redirect_uri: given.redirect,
      code_verifier: given.verifier,
      ...(kind !== 'bitbucket' && { client_id: client.id, client_secret: client.secret }),
    }),
  })
  // GitHub answers 200 with an error where the code is wrong.
  const told = (await answer.json().catch(() => ({}))) as { readonly access_token?: unknown }
  if (!answer.ok || typeof told.access_token !== 'string')
    throw new ProviderFailure(`Cannot sign in: the provider answered ${answer.status} without a token`, answer.status)
  return told.access_token
}
