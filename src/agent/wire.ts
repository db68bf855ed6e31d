import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pour, release } from './archive/pour.ts'

/** The server could not be asked, or could not answer for reasons of its own: worth another try. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** The server understood and said no. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly body: unknown

  constructor(message: string, status: number, body: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** One request, ready to be sent as often as needed. */
export interface Message {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: readonly Uint8Array[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Connections to one server, kept alive: `fetch` takes three to four times as long for small requests. */
export interface Wire extends Disposable {
  /** Resolves with the parsed answer of a success; rejects with `Refused`, `Unreachable`, or the reason of the signal. */
  send(message: Message): Promise<unknown>
  /** As `send`, with a body that is made while it is sent, of pieces that are ours. A failure of the body is thrown as it is. */
  upload(message: Omit<Message, 'body'>, body: AsyncIterable<Buffer>): Promise<unknown>
  /** As `send`, for an answer that is no JSON: gives its bytes, to be read or destroyed. Breaks off with `Unreachable`. */
  download(message: Omit<Message, 'body'>): Promise<Readable>
}

/** Opens nothing yet: the first request does. */
export function openWire(server: string): Wire {
  const url = new URL(server)
  // An `import` of node:http reads all it exports, and so loads a WebSocket client that nobody here wants: 10 MB.
  const { request, Agent } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 8 })
  const prefix = url.pathname.replace(/\/+$/, '')

  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const partsOf = (message: Omit<Message, 'body'>, headers: Record<string, string | number>) => ({
    agent,
    hostname,
    port: url.port || undefined,
    method: message.method,
    path: prefix + message.path,
    timeout: message.timeoutMs,
    headers: {
      authorization: `Bearer ${message.token}`,
      accept: 'application/json',
      ...headers,
      ...message.headers,
    },
  })

  function send(message: Message, again = false): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const size = message.body.reduce((sum, piece) => sum + piece.byteLength, 0)
    const outgoing = request(
      partsOf(message, { 'content-type': 'application/json', 'content-length': size }),
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece: string) => (text += piece))
        answer.on('end', () => settle(message, answer.statusCode ?? 0, text, resolve, reject))
        answer.on('error', fail)
      },
    )
    const stop = () => outgoing.destroy(new Error('given up'))
    function fail(error: Error): void {
      if (message.signal?.aborted) reject(message.signal.reason)
      // The server had closed a kept connection just before we used it: not worth a wait, and every message may be repeated.
      else if (outgoing.reusedSocket && !again && 'code' in error && error.code === 'ECONNRESET')
        send(message, true).then(resolve, reject)
      else reject(new Unreachable(`Cannot ${message.method} ${message.path}: ${error.message}`, { cause: error }))
    }
    outgoing.on('error', fail)
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer for ${message.timeoutMs} ms`)))
    outgoing.on('close', () => message.signal?.removeEventListener('abort', stop))
    if (message.signal?.aborted) stop()
    else message.signal?.addEventListener('abort', stop, { once: true })
    for (const piece of message.body) outgoing.write(piece)
    outgoing.end()
    return promise
  }

  function upload(message: Omit<Message, 'body'>, body: AsyncIterable<Buffer>): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    let failure: Error | undefined
    const outgoing = request(partsOf(message, { 'content-type': 'application/octet-stream' }), (answer) => {
      // An answer before the end of the body is a refusal: the rest is wanted by nobody.
      textOf(answer).then((text) => {
        settle(message, answer.statusCode ?? 0, text, resolve, reject)
        outgoing.destroy()
      }, fail)
    })
    const stop = () => outgoing.destroy(new Error('given up'))
    function fail(error: Error): void {
      if (message.signal?.aborted) reject(message.signal.reason)
      else
        reject(
          failure ?? new Unreachable(`Cannot ${message.method} ${message.path}: ${error.message}`, { cause: error }),
        )
    }
    outgoing.on('error', fail)
    outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing moved for ${message.timeoutMs} ms`)))
    outgoing.on('close', () => message.signal?.removeEventListener('abort', stop))
    if (message.signal?.aborted) stop()
    else message.signal?.addEventListener('abort', stop, { once: true })
    // Its failures are heard above, each from the side where it happened.
    pour(body, outgoing).then(
      () => outgoing.end(),
      (error: Error) => {
        if (!outgoing.destroyed) failure = error
        outgoing.destroy(error)
      },
    )
    return promise
  }

  function download(message: Omit<Message, 'body'>): Promise<Readable> {
    const { promise, resolve, reject } = Promise.withResolvers<Readable>()
    const outgoing = request(partsOf(message, {}), (answer) => {
      const status = answer.statusCode ?? 0
      if (status >= 200 && status < 300) return resolve(releasing(answer))
      textOf(answer).then((text) => settle(message, status, text, () => {}, reject), fail)
    })
    const stop = () => outgoing.destroy(new Error('given up'))
    function fail(error: Error): void {
      reject(
        message.signal?.aborted === true
          ? message.signal.reason
          : new Unreachable(`Cannot ${message.method} ${message.path}: ${error.message}`, { cause: error }),
      )
    }
    outgoing.on('error', fail)
    outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing moved for ${message.timeoutMs} ms`)))
    outgoing.on('close', () => message.signal?.removeEventListener('abort', stop))
    if (message.signal?.aborted) stop()
    else message.signal?.addEventListener('abort', stop, { once: true })
    outgoing.end()
    return promise
  }

  return { send: (message) => send(message), upload, download, [Symbol.dispose]: () => agent.destroy() }
}

/**
 * An answer copies what it takes from its connection, which keeps nothing: each piece is given back at once. Left to the
 * collector they came to 20 MB and more, whatever is done with the copies.
 */
function releasing(answer: IncomingMessage): IncomingMessage {
  const { socket } = answer
  socket.on('data', release)
  answer.once('close', () => socket.off('data', release))
  return answer
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of answer.setEncoding('utf8')) text += String(piece)
  return text
}

function settle(
  message: Omit<Message, 'body'>,
  status: number,
  text: string,
  resolve: (body: unknown) => void,
  reject: (error: Error) => void,
): void {
  const body = parsed(text)
  if (status >= 200 && status < 300 && body !== undefined) return resolve(body)
  const said = typeof body === 'object' && body !== null && 'message' in body ? `: ${String(body.message)}` : ''
  const sentence = `Cannot ${message.method} ${message.path} as the server answered ${status}${said}`
  const passing = status < 400 || status >= 500 || status === 408 || status === 429
  reject(passing ? new Unreachable(sentence) : new Refused(sentence, status, body))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
