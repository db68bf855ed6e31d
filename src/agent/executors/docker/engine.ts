import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The engine understood and said no. */
export class EngineRefusal extends Error {
  override readonly name = 'EngineRefusal'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The engine could not be asked, or went away over the answer. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway'
}

/** What a request has beside its path. */
export interface Asking {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

/** A docker engine over its HTTP interface. Everything rejects with `EngineRefusal`, `EngineAway` or the reason of the signal. */
export interface Engine {
  readonly address: string
  /** Resolves with the parsed answer; undefined where it is empty. */
  ask<T = unknown>(method: string, path: string, asking?: Asking): Promise<T>
  /** Resolves with the body of a good answer, as it comes. */
  read(method: string, path: string, asking?: Asking): Promise<Readable>
  /** Resolves when a body that comes as it is made has been taken. */
  feed(method: string, path: string, body: Readable, asking?: Asking): Promise<void>
  /** Resolves with the connection itself, which then carries what a container reads and writes. */
  connect(path: string, asking?: Asking): Promise<Duplex>
  close(): void
}

const usualMs = 60_000

interface Own {
  readonly agent?: false
  readonly headers: Readonly<Record<string, string>>
}

/** Where an engine is: a socket file or an address of this machine. */
export function targetOf(address: string): RequestOptions {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'unix:') return { socketPath: decodeURIComponent(url.pathname) }
  if (url?.protocol === 'tcp:' || url?.protocol === 'http:') return { hostname: url.hostname, port: url.port || '2375' }
  throw new Error(`Cannot use the docker engine at ${address}: it must be unix://<path> or tcp://<host>:<port>`)
}

/** Opens nothing yet: the first request does. */
export function openEngine(address: string): Engine {
  const target = targetOf(address)
  // As in `wire.ts`: the import would cost 10 MB.
  const http = process.getBuiltinModule('node:http')
  const agent: Agent = new http.Agent({ keepAlive: true, maxFreeSockets: 8 })

  function open(method: string, path: string, asking: Asking, more: Own): ClientRequest {
    const { query = {}, headers = {}, signal } = asking
    const search = new URLSearchParams(query).toString()
    return http.request({
      ...target,
      agent,
      method,
      path: search === '' ? path : `${path}?${search}`,
      timeout: asking.timeoutMs ?? usualMs,
      ...(signal && { signal }),
      ...more,
      headers: { host: 'docker', ...headers, ...more.headers },
    })
  }

  /** Sends the body and resolves with a good answer. */
  function answerOf(request: ClientRequest, what: string, asking: Asking, send: () => void): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => reject(asking.signal?.aborted ? asking.signal.reason : away(what, error)))
    request.on('response', (answer) => {
      if ((answer.statusCode ?? 500) < 400) return resolve(answer)
      text(answer).then(
        (said) => reject(new EngineRefusal(messageOf(said), answer.statusCode ?? 500)),
        (error: unknown) => reject(away(what, error)),
      )
    })
    send()
    return promise
  }

  function read(method: string, path: string, asking: Asking = {}): Promise<IncomingMessage> {
    const bytes = asking.body === undefined ? undefined : Buffer.from(JSON.stringify(asking.body))
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes?.length ?? 0) }
    const request = open(method, path, asking, { headers })
    return answerOf(request, `${method} ${path}`, asking, () => request.end(bytes))
  }

  async function ask<T>(method: string, path: string, asking: Asking = {}): Promise<T> {
    for (let times = 0; ; times++) {
      try {
        const said = await text(await read(method, path, asking))
        return (said === '' ? undefined : JSON.parse(said)) as T
      } catch (error) {
        // The engine closes connections that were idle for long, just when one of them may be used.
        const passed = error instanceof Error && 'cause' in error && isReset(error.cause)
        if (!passed || times > 0) throw error
      }
    }
  }

  async function feed(method: string, path: string, body: Readable, asking: Asking = {}): Promise<void> {
    const request = open(method, path, asking, { headers: { 'content-type': 'application/x-tar' } })
    body.on('error', (error) => request.destroy(error))
    await text(await answerOf(request, `${method} ${path}`, asking, () => body.pipe(request)))
  }

  function connect(path: string, asking: Asking = {}): Promise<Duplex> {
    const bytes = Buffer.from(asking.body === undefined ? '' : JSON.stringify(asking.body))
    const request = open('POST', path, asking, {
      // A connection of its own, which ends with what it carries.
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        connection: 'Upgrade',
        upgrade: 'tcp',
      },
    })
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>()
    request.on('upgrade', (_, socket, head) => {
      socket.setTimeout(0)
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    answerOf(request, `POST ${path}`, asking, () => request.end(bytes)).then(
      () => reject(new EngineAway(`Cannot connect to ${path}: the engine answered without doing so`)),
      reject,
    )
    return promise
  }

  return { address, ask, read, feed, connect, close: () => agent.destroy() }
}

const away = (what: string, error: unknown) =>
  new EngineAway(
    `Cannot reach the docker engine (${what}): ${error instanceof Error ? error.message : String(error)}`,
    {
      cause: error,
    },
  )

const isReset = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

function messageOf(said: string): string {
  try {
    return (JSON.parse(said) as { message?: string }).message ?? said
  } catch {
    return said.slice(0, 500)
  }
}
