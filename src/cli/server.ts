import { addressOf, Answered, client } from '#contract/client.ts'
import { prefixes } from '#contract/catalog.ts'
import type { Endpoint, Input } from '#contract/endpoint.ts'

type Call = ReturnType<typeof client>

/** A service that is asked by the command line. */
export interface Server {
  /** Calls an operation of generation 2. */
  readonly v2: Call
  /** Calls one of our own. */
  readonly rh: Call
  /** Asks one of our own whose answer is a stream. */
  open<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<AsyncIterable<Uint8Array>>
  /** Fetches what an address of this service leads to, at whatever host the service believes to be. */
  fetch(address: string): Promise<AsyncIterable<Uint8Array>>
}

/** The service at an address such as `http://127.0.0.1:8080`. */
export function serverAt(base: string, token: string): Server {
  async function read(url: string): Promise<AsyncIterable<Uint8Array>> {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    if (response.ok) return response.body ?? new ReadableStream<Uint8Array>()
    await response.body?.cancel()
    throw new Answered(
      `Cannot read ${new URL(url).pathname} as the service answered ${response.status}`,
      response.status,
      '',
    )
  }
  return {
    v2: client(base + prefixes.v2, token),
    rh: client(base + prefixes.rh, token),
    open: (endpoint, input) => read(base + prefixes.rh + addressOf(endpoint, input)),
    fetch: (address) => {
      const { pathname, search } = new URL(address, base)
      return read(base + pathname + search)
    },
  }
}
