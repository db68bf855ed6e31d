import { createSign, generateKeyPairSync, hash } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** Whom the provider says somebody is. */
export type Claims = Readonly<Record<string, unknown>>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An OpenID provider on loopback that lets in whoever comes, as whoever `claims` says; it checks the client and PKCE as a real one does. */
export async function openProvider(client: { readonly id: string; readonly secret: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, URLSearchParams>()
  const state = { claims: { sub: 'subject' } as Claims, issuer: '' }

  function idToken(nonce: string | null): string {
    const now = Math.floor(Date.now() / 1000)
    const body = { iss: state.issuer, aud: client.id, iat: now, exp: now + 300, nonce, ...state.claims }
    const signed = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(body)}`
    return `${signed}.${createSign('sha256').update(signed).sign(privateKey).toString('base64url')}`
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', state.issuer)
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer: state.issuer,
        authorization_endpoint: `${state.issuer}/authorize`,
        token_endpoint: `${state.issuer}/token`,
        jwks_uri: `${state.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (url.pathname === '/keys') return json(200, { keys: [key] })
    if (url.pathname === '/authorize') {
      const code = String(codes.size + 1)
      codes.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: back.href }).end()
    }
    const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString())
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    const isClient = form.get('client_id') === client.id && form.get('client_secret') === client.secret
    if (!asked || !isClient || asked.get('code_challenge') !== challenge) return json(400, { error: 'invalid_grant' })
    return json(200, { access_token: 'a', token_type: 'Bearer', id_token: idToken(asked.get('nonce')) })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
