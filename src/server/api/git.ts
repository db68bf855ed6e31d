import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { type GitWish, serveRepository } from '#server/app/git-access.ts'
import type { Caller } from '#server/app/callers.ts'
import { credentialOf, passwordOf } from './credentials.ts'
import { goneSignal } from './gone.ts'
import type { Ends } from '#server/app/push-report.ts'
import { pause } from '#kit/backoff.ts'

type Service = GitWish['request']['service']
/** So long a server that stops waits for its last words to be read. */
const longestGoodbyeMs = 2_000

const services: readonly Service[] = ['info/refs', 'git-upload-pack', 'git-receive-pack']

/** The built-in git host: `/git/<org>/<repo>.git/...`, as git speaks over HTTP. */
export function serveGitHost(http: FastifyInstance, app: App): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  const stopping = new AbortController()
  const open = new Set<Promise<unknown>>()
  http.addHook('preClose', async () => {
    stopping.abort()
    const over = new AbortController()
    void Promise.allSettled(open).then(() => over.abort())
    await pause(longestGoodbyeMs, over.signal)
  })
  for (const service of services) {
    http.route({
      method: service === 'info/refs' ? 'GET' : 'POST',
      url: `/git/:org/:repo/${service}`,
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: (request, reply) => {
        const gone = goneSignal(reply)
        const ended = new Promise((resolve) => gone.addEventListener('abort', resolve, { once: true }))
        open.add(ended)
        void ended.then(() => open.delete(ended))
        return handle(app, service, request, reply, { gone, stopping: stopping.signal })
      },
    })
  }
}

async function handle(
  app: App,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ends: Ends,
): Promise<FastifyReply> {
  const { org, repo } = request.params as { readonly org: string; readonly repo: string }
  const query = request.raw.url?.split('?')[1] ?? ''
  try {
    const caller = await callerOf(app, request)
    const wish: GitWish = {
      organization: org,
      repository: repo.replace(/\.git$/, ''),
      wantsPush: service === 'git-receive-pack' || /(^|&)service=git-receive-pack(&|$)/.test(query),
      request: {
        service,
        query,
        method: request.method,
        headers: request.headers,
        body: (request.body as Readable | undefined) ?? request.raw,
      },
    }
    // New code can do more than any narrower token may: it reads every secret of the project.
    if (wish.wantsPush && caller.kind === 'project' && caller.scope !== 'all')
      throw new Refusal('forbidden', 'Permission denied')
    const answer = await serveRepository(app, caller, wish, ends)
    answer.done.catch((error: unknown) =>
      app.world.log.warn('A git request failed', { org, repo, service, error: String(error) }),
    )
    return await reply
      .code(answer.status)
      .headers(answer.headers)
      .send(service === 'git-receive-pack' ? Readable.from(andThen(answer.body, answer.done)) : answer.body)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthenticated')
      void reply.header('www-authenticate', 'Basic realm="Roundhouse"')
    throw error
  }
}

/** A token as user name or, as git's own helpers keep it, as password beside any name. A browser's cookie opens nothing here. */
async function callerOf(app: App, request: FastifyRequest): Promise<Caller> {
  const { token, fromCookie } = credentialOf(request)
  const password = passwordOf(request.headers.authorization)
  try {
    return await app.callers.find(fromCookie ? undefined : token)
  } catch (error) {
    if (password === undefined || password === token) throw error
    return app.callers.find(password)
  }
}

/** Whoever is told that a push is done can rely on it at once: its refs are noted and its pipelines are there. */
async function* andThen(body: Readable, done: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* body as AsyncIterable<Uint8Array>
  await done.catch(() => {})
}
