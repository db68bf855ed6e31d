import type { FastifyInstance } from 'fastify'
import type { OpenApi } from '#contract/openapi.ts'
import { docsPage, docsStyle } from './docs-page.ts'
import { policy } from './web.ts'

/** The description of the interface for people, at /docs/api. Made when it is first asked for. */
export function serveDocs(http: FastifyInstance, describe: () => OpenApi): void {
  let page: string | undefined
  const guard = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }
  http.get('/docs/api', async (_request, reply) => {
    page ??= docsPage(describe())
    return reply.headers(guard).type('text/html; charset=utf-8').send(page)
  })
  http.get('/docs/api.css', async (_request, reply) =>
    reply.headers(guard).type('text/css; charset=utf-8').send(docsStyle),
  )
}
