import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { providerAt, type ProviderKind } from '#server/vcs/providers/terms.ts'

/** One request that a provider got: `POST /repos/acme/web/keys {"title":...}`. */
export interface Asked {
  readonly line: string
  readonly body: unknown
  readonly authorization: string | undefined
}

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Instead of a body: as it is. */
  readonly text?: string
}

const bases: Readonly<Record<ProviderKind, string>> = {
  github: '/api/v3',
  gitea: '/api/v1',
  bitbucket: '/2.0',
  gitlab: '/api/v4',
}

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** A provider on loopback that answers as told, and notes what it was asked, unless `first` answers. While it is down it hangs up. */
export async function openFake(kind: ProviderKind, first: Answering = async () => false) {
  const asked: Asked[] = []
  const state = { isDown: false, replies: new Map<string, Reply[]>() }
  const server = createServer(async (request, response) => {
    if (state.isDown) return void request.socket.destroy()
    if (await first(request, response)) return
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    const line = `${request.method} ${(request.url ?? '').replace(bases[kind], '')}`
    asked.push({
      line,
      body: request.headers['content-type'] === 'application/json' ? (JSON.parse(text) as unknown) : undefined,
      authorization: request.headers.authorization,
    })
    const reply =
      state.replies.get(line)?.shift() ?? (request.method === 'POST' ? { status: 201, body: {} } : { status: 404 })
    const type = reply.text === undefined ? 'application/json' : 'text/plain'
    response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers })
    response.end(reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    api: url + bases[kind],
    asked,
    state,
    terms: providerAt(kind, url),
    /** Answers the next request of that line so. */
    will(line: string, ...replies: readonly Reply[]): void {
      state.replies.set(line, [...(state.replies.get(line) ?? []), ...replies])
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
