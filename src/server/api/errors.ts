import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode } from '#kit/refusal.ts'
import type { Log } from '#server/app/world.ts'

const statusOf: Readonly<Record<RefusalCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  throttled: 429,
  full: 507,
  'not-built': 501,
}

/** The one place where a refusal becomes an answer. Anything else that is thrown is ours: told whole to the log, and as nothing to the caller. */
export function answerErrors(http: FastifyInstance, log: Log): void {
  http.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    if (error instanceof Refusal && typeof error.details['retry_after'] === 'number')
      void reply.header('retry-after', error.details['retry_after'])
    if (error instanceof Refusal)
      return reply.code(statusOf[error.code]).send({ message: error.message, ...error.details })
    // Whoever sends something may go away in the middle of it: that is no failure of ours.
    const status = error.statusCode ?? (error.code === 'ECONNRESET' && request.raw.destroyed ? 400 : 500)
    if (status >= 400 && status < 500) return reply.code(status).send({ message: wordsOf(error) })
    log.error('A request failed', {
      method: request.method,
      route: request.routeOptions.url,
      error: error.stack ?? String(error),
    })
    return reply.code(500).send({ message: 'Internal server error.' })
  })
}

function wordsOf(error: FastifyError): string {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'Cannot read the body: it is too large'
  return error.message
}

/** What cannot be routed: an address that is no address, or has a part that is too long. It is not repeated: it may hold a token. */
export function answerUnrouted(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
  void reply
    .code(isLong ? 414 : 400)
    .send({ message: isLong ? 'Cannot read the address: a part of it is too long' : 'Cannot read the address' })
}

const unread: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'Cannot read the request: its address and headers are too long',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Cannot read the request: it did not come in time'],
}

/** What is no request that could be read: it is answered as errors are, and the connection ends. */
export function answerUnread(error: Error & { readonly code?: string }, socket: Socket): void {
  // More of what cannot be read may come behind it.
  if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return
  const [status, message] = unread[error.code ?? ''] ?? ['400 Bad Request', 'Cannot read the request: it is no HTTP']
  const body = JSON.stringify({ message })
  const head = `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`
  // What still comes is thrown away for a moment: ended at once, the connection would be reset before the answer is read.
  socket.end(head + body)
  socket.resume()
  setTimeout(() => socket.destroy(), 5_000).unref()
}
