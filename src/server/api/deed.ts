import type { FastifyRequest } from 'fastify'
import type { Operation } from '#contract/catalog.ts'
import type { Deed } from '#server/app/audit.ts'
import type { Caller } from '#server/app/callers.ts'

/** Members of a body that say what a request is about and can hold no secret. */
const telling = ['name', 'login', 'role', 'label', 'scope', 'type', 'url', 'restriction_type', 'admin'] as const

interface Request {
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly params?: unknown
  readonly body?: unknown
}

/** What a request did, in names and ids. A token that an address names is left out. */
export function deedOf({ generation, operation }: Operation, { caller, request, params, body }: Request): Deed {
  const { token: _, ...named } = (params ?? {}) as Readonly<Record<string, unknown>>
  const given = (body ?? {}) as Readonly<Record<string, unknown>>
  const said = telling.flatMap((key) => {
    const value = given[key]
    return typeof value === 'string' || typeof value === 'boolean' ? [`${key}=${withoutSecret(value)}`] : []
  })
  return {
    action: `${generation} ${operation}`,
    target: [...Object.values(named).map(String), ...said].join(' '),
    address: request.ip,
    organization: 'trail' in caller ? caller.trail?.organization : undefined,
  }
}

/** An address may carry a password or a token, in its path too: where it leads is enough. */
function withoutSecret(value: string | boolean): string {
  const text = String(value)
  if (!text.includes('://') || !URL.canParse(text)) return text
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}`
}
