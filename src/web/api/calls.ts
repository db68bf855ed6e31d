import { client } from '#contract/client.ts'

/** Sends as this browser's session; what changes something also says that a page of ours sends it. */
const send: typeof fetch = (input, options = {}) => {
  const headers = new Headers(options.headers)
  if (options.method !== undefined && options.method !== 'GET') headers.set('x-requested-with', 'roundhouse')
  return fetch(input, { ...options, headers, credentials: 'same-origin' })
}

/** Where our own endpoints lie. */
export const rhBase = '/api/rh/v1'

/** Calls an endpoint of generation 1.1. */
export const callV1 = client('/api/v1.1', undefined, send)

/** Calls an endpoint of generation 2. */
export const callV2 = client('/api/v2', undefined, send)

/** Calls an endpoint of our own. */
export const callRh = client(rhBase, undefined, send)
