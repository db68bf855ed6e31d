import type { FastifyError, FastifyInstance } from 'fastify'
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
    const status = error.statusCode ?? 500
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
