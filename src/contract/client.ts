import type { Endpoint, Input, Output } from './endpoint.ts'

/** The service answered, and not with success. */
export class Answered extends Error {
  override readonly name = 'Answered'
  readonly status: number
  readonly body: unknown

  constructor(message: string, status: number, body: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/** The path and query of one call, parameters encoded. */
export function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Parts): string {
  const path = endpoint.path.replace(/:([\w-]+)/g, (_, name: string) => encodeURIComponent(textOf(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, textOf(one))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** Parameters are words, numbers and booleans. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

export interface CallOptions {
  readonly signal?: AbortSignal
}

/**
 * Calls any declared JSON endpoint below one base (`http://host/api/v2`).
 * The command line, the pages, the agent and the end-to-end tests all use this one function.
 */
export function client(base: string, token?: string, send: typeof fetch = fetch) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options: CallOptions = {},
  ): Promise<Output<E>> {
    const parts = input as Parts
    const response = await send(base + addressOf(endpoint, parts), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      ...(options.signal && { signal: options.signal }),
    })
    const text = await response.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    if (!response.ok) throw new Answered(messageOf(endpoint, response.status, body), response.status, body)
    return body as Output<E>
  }
}

function messageOf(endpoint: Endpoint, status: number, body: unknown): string {
  const said = typeof body === 'object' && body !== null && 'message' in body ? `: ${String(body.message)}` : ''
  return `Cannot ${endpoint.method} ${endpoint.path} as the service answered ${status}${said}`
}
