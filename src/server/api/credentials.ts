import type { FastifyRequest } from 'fastify'
import { tokenHeaders, tokenQueries } from '#core/names.ts'

/** The name of the cookie that holds a browser's session. */
export const sessionCookie = 'roundhouse_session'

/** A token and the way it came; a cookie is sent by browsers unasked, so what comes with one needs another proof. */
export interface Credential {
  readonly token: string | undefined
  readonly fromCookie: boolean
}

/** The token of a request, whichever way it was sent: header, Bearer, Basic, query, cookie. An empty one is none. */
export function credentialOf(request: FastifyRequest): Credential {
  const given = headerToken(request) ?? authorizationToken(request.headers.authorization) ?? queryToken(request.query)
  if (given !== undefined) return { token: given, fromCookie: false }
  const session = cookieOf(request.headers.cookie, sessionCookie)
  return { token: session, fromCookie: session !== undefined }
}

function headerToken(request: FastifyRequest): string | undefined {
  for (const name of tokenHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The token of an `Authorization` header: Bearer, the token alone, or the user name of Basic (its password where the name is empty, as git asks for both). */
export function authorizationToken(header: string | undefined): string | undefined {
  if (header !== undefined && /^\S+$/.test(header)) return header
  const [, scheme = '', value = ''] = /^(\w+) +(\S+)\s*$/.exec(header ?? '') ?? []
  if (/^bearer$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return undefined
  const { user, password } = basicParts(value)
  return user || password || undefined
}

function basicParts(value: string): { readonly user: string; readonly password: string } {
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? { user: text, password: '' } : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** The password of Basic: where programs that ask people for a name and a password put the token. */
export function passwordOf(header: string | undefined): string | undefined {
  const [, value = ''] = /^basic +(\S+)\s*$/i.exec(header ?? '') ?? []
  return basicParts(value).password || undefined
}

function queryToken(query: unknown): string | undefined {
  const values = query as Record<string, unknown>
  for (const name of tokenQueries) {
    const value = values[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The value of a cookie. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.split('=', 2)
    if (key?.trim() === name && value) return value.trim()
  }
  return undefined
}
