import type { FastifyInstance } from 'fastify'
import { tokenHeaders } from '#core/names.ts'

/*
 * Dashboards that run in a browser ask from pages of their own. They bring a token; a session is never theirs to use, as
 * nothing here allows credentials, and the header that changes by session demand is not among those allowed.
 */

/** Lets any page read an answer. */
export const anyOrigin = ['access-control-allow-origin', '*'] as const

const allowed = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': ['accept', 'authorization', 'content-type', ...tokenHeaders].join(', '),
  'access-control-max-age': '86400',
}

/** Tells browsers what a page of another site may send. */
export function answerPreflights(http: FastifyInstance): void {
  http.options('/*', (_request, reply) =>
    reply
      .header(...anyOrigin)
      .headers(allowed)
      .code(204)
      .send(),
  )
}
