import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { watchChanges } from '#contract/rh/live.ts'
import { followLog as followContract, readLog as readContract } from '#contract/rh/log.ts'
import { instant } from '#kit/brand.ts'
import type { App } from '#server/app/app.ts'
import { jobFor } from '#server/app/find.ts'
import { visibleTopics } from '#server/app/live.ts'
import { asUser } from '#server/app/permissions.ts'
import { followLog, readLog } from '#server/app/read-log.ts'
import { goneSignal } from '#server/api/gone.ts'
import type { Serving } from '#server/api/serve.ts'

/** Logs and changes, as they come. */
export function serveStreams({ serve }: Serving, app: App): void {
  const { world } = app

  serve(readContract, async ({ caller, params, query, reply }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const bytes = readLog(world, job.reused_from ?? job.id, params.index, query.from ?? 0, query.to, query.node)
    // Whatever a log holds, a browser must not take it for a page.
    return reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Readable.from(bytes))
  })

  serve(followContract, async ({ caller, params, query, request, reply }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const resumed = Number(request.headers['last-event-id'] ?? '')
    const from = Number.isSafeInteger(resumed) && resumed > 0 ? resumed : (query.from ?? 0)
    const stop = goneSignal(reply)
    return events(reply, logEvents(followLog(world, job.reused_from ?? job.id, params.index, from, stop, query.node)))
  })

  serve(watchChanges, async ({ caller, query, reply }) => {
    const stop = goneSignal(reply)
    return events(reply, lookEvents(visibleTopics(app, asUser(caller), query.project, stop)))
  })
}

/** Answers with events, as they come. */
export function events(reply: FastifyReply, source: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(source, { objectMode: false }))
}

/** Base64 in lines of a few hundred kilobytes: what one event may carry. */
const mostInEvent = 192 * 1024

async function* logEvents(news: ReturnType<typeof followLog>): AsyncGenerator<string> {
  yield ': following\n\n'
  for await (const item of news) {
    if ('end' in item) {
      yield `event: end\nid: ${item.end}\ndata: ${JSON.stringify({ size: item.end })}\n\n`
      return
    }
    if ('seen' in item) {
      yield `event: time\ndata: ${JSON.stringify({ offset: item.seen.byte, at: instant(new Date(item.seen.at)) })}\n\n`
      continue
    }
    if (item.bytes.length === 0) yield ': still there\n\n'
    const start = item.offset - item.bytes.length
    for (let at = 0; at < item.bytes.length; at += mostInEvent) {
      const part = item.bytes.subarray(at, at + mostInEvent)
      yield `event: log\nid: ${start + at + part.length}\ndata: ${Buffer.from(part.buffer, part.byteOffset, part.length).toString('base64')}\n\n`
    }
  }
}

async function* lookEvents(topics: AsyncIterable<string | undefined>): AsyncGenerator<string> {
  yield ': watching\n\n'
  for await (const topic of topics)
    yield topic === undefined ? ': still there\n\n' : `event: look\ndata: ${JSON.stringify({ topic })}\n\n`
}
