import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#kit/refusal.ts'
import type { Stored } from '#server/app/storage.ts'

/** Sends something stored, or the one range of it that was asked for. Several ranges at once are answered with all of it. */
export async function sendStored(request: FastifyRequest, reply: FastifyReply, stored: Stored): Promise<FastifyReply> {
  reply.header('accept-ranges', 'bytes')
  const span = spanOf(request.headers.range, stored.size)
  if (span === 'outside') {
    reply.header('content-range', `bytes */${stored.size}`).header('content-type', 'application/json; charset=utf-8')
    return reply.code(416).send(JSON.stringify({ message: `Cannot send this range: there are ${stored.size} bytes` }))
  }
  const bytes = await stored.read(span)
  if (span) reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${stored.size}`)
  return reply.header('content-length', span ? span.end - span.start + 1 : stored.size).send(bytes)
}

function spanOf(header: string | undefined, size: number) {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end ? 'outside' : { start, end }
}

/** Bytes that come as a request; a sender who says nothing for so long is gone, and so is what it was sending. */
export function incoming(request: FastifyRequest, silenceMs = 120_000): AsyncIterable<Buffer> {
  const { socket } = request.raw
  const leave = () => socket.destroy()
  socket.setTimeout(silenceMs, leave)
  request.raw.once('close', () => {
    socket.setTimeout(0)
    socket.off('timeout', leave)
  })
  if (!(request.body instanceof Object)) throw new Refusal('invalid', 'Cannot read the body: there is none')
  return request.body as AsyncIterable<Buffer>
}
