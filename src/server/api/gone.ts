import type { FastifyReply } from 'fastify'

/** Aborts when the answer is done or its reader has gone away. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
