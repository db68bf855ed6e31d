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
}

/** Opens nothing yet: the first request does. */
export function openWire(server: string): Wire {
  const url = new URL(server)
  // An `import` of node:http reads all it exports, and so loads a WebSocket client that nobody here wants: 10 MB.
  const { request, Agent } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 8 })
  const prefix = url.pathname.replace(/\/+$/, '')

  function send(message: Message, again = false): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const size = message.body.reduce((sum, piece) => sum + piece.byteLength, 0)
    const outgoing = request(
      {
        agent,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || undefined,
        method: message.method,
        path: prefix + message.path,
        timeout: message.timeoutMs,
        headers: {
          authorization: `Bearer ${message.token}`,
          accept: 'application/json',
          'content-type': 'application/json',
          'content-length': size,
          ...message.headers,
        },
      },
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

  return { send: (message) => send(message), [Symbol.dispose]: () => agent.destroy() }
}

function settle(
  message: Message,
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
