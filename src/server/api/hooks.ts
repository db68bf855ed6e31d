import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { providerCode } from '#core/names.ts'
import { isUuid } from '#kit/uuid.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { receiveHook } from '#server/app/receive-hook.ts'
import type { OpenReceiver } from '#server/app/open-receivers.ts'

/** More than any hook of a push that people make; the largest of providers have 25 MB and are of nobody's hand. */
const mostBytes = 5 * 1024 * 1024

interface Params {
  readonly provider: string
  readonly id: string
}

/** Where providers tell of pushes: `/hooks/<provider>/<receiver>`. */
export function serveHooks(http: FastifyInstance, app: App): void {
  const { log } = app.world

  async function receiverOf(request: FastifyRequest): Promise<OpenReceiver> {
    const { provider, id } = request.params as Params
    const receiver = isUuid(id) ? await app.receivers.find(id) : undefined
    if (receiver && receiver.provider === providerCode(provider)) return receiver
    log.warn('A hook was refused: there is no such receiver', { receiver: id.slice(0, 100), address: request.ip })
    throw new Refusal('not-found', 'Receiver not found.')
  }

  http.route({
    method: 'POST',
    url: '/hooks/:provider/:id',
    bodyLimit: mostBytes,
    // Before the body is read: strangers have no bytes of ours to fill.
    onRequest: async (request) => {
      await receiverOf(request)
    },
    errorHandler(error: FastifyError, request) {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
        log.warn('A hook was refused: it is too large', {
          receiver: (request.params as Params).id,
          bytes: request.headers['content-length'],
          most: mostBytes,
        })
      throw error
    },
    handler: async (request, reply) => {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
      const isNews = await receiveHook(app, await receiverOf(request), { headers: request.headers, body })
      return reply.code(isNews ? 202 : 200).send({ message: isNews ? 'Accepted.' : 'Known already.' })
    },
  })
}
