import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { providerAt, type ProviderKind } from '#server/vcs/providers/terms.ts'

export const client = { id: 'roundhouse', secret: 'between-us' }

const authorize = {
  github: '/login/oauth/authorize',
  gitea: '/login/oauth/authorize',
  bitbucket: '/site/oauth2/authorize',
  gitlab: '/oauth/authorize',
}
const exchange = {
  github: '/login/oauth/access_token',
  gitea: '/login/oauth/access_token',
  bitbucket: '/site/oauth2/access_token',
  gitlab: '/oauth/token',
}

/** A provider on loopback at which everybody is who `me` says; it checks client, code and PKCE as a real one does. */
export async function openSignIn(
  kind: ProviderKind,
  me: Readonly<Record<string, unknown>>,
  emails: readonly unknown[] = [],
) {
  const codes = new Map<string, URLSearchParams>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const json = (status: number, value: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === authorize[kind]) {
      const code = String(codes.size + 1)
      codes.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString()
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === exchange[kind]) {
      const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString())
      const asked = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
      const isClient =
        kind === 'bitbucket'
          ? request.headers.authorization === basic
          : form.get('client_id') === client.id && form.get('client_secret') === client.secret
      const isSame = asked?.get('code_challenge') === hash('sha256', form.get('code_verifier') ?? '', 'base64url')
      // As GitHub does: an error with the code of success.
      return isClient && isSame
        ? json(200, { access_token: 'of-somebody' })
        : json(200, { error: 'bad_verification_code' })
    }
    if (request.headers.authorization !== 'Bearer of-somebody') return json(401, {})
    if (url.pathname.endsWith('/user')) return json(200, me)
    if (url.pathname.endsWith('/user/emails')) return json(200, kind === 'bitbucket' ? { values: emails } : emails)
    return json(404, {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    terms: { ...providerAt(kind, url), client },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
