import type { FastifyInstance } from 'fastify'
import type { Readable } from 'node:stream'
import { appendLog as contract, LogTimes } from '#contract/agent/report.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { appendLog, WrongOffset } from '#server/app/logs.ts'
import { authorize } from '#server/api/authorize.ts'
import { checker } from '#server/api/validate.ts'
import { leaseOf } from './serve-agents.ts'

const mostBytes = 16 * 1024 * 1024

/** The bytes of logs: mounted apart, as they are read as they come and never whole. */
export function serveLogs(http: FastifyInstance, app: App): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  const params = contract.schema.params
  const check = checker('path', params)
  http.route({
    method: contract.method,
    url: contract.path,
    bodyLimit: mostBytes,
    handler: async (request, reply) => {
      const caller = await authorize(app, contract.access, request)
      const { id, index } = check(request.params) as { id: string; index: number }
      const { start, size } = rangeOf(request.headers['content-range'])
      try {
        const offset = await appendLog(app.world, app.bodyOf, leaseOf(caller, id), index, {
          start,
          size,
          bytes: request.body as Readable,
          times: timesOf(request.headers['log-times']),
        })
        return await reply.send({ offset })
      } catch (error) {
        if (error instanceof WrongOffset) return reply.code(416).send({ offset: error.offset })
        throw error
      }
    },
  })
}

const checkTimes = checker('header', LogTimes)

/** Nothing from an agent that does not tell. */
const timesOf = (header: unknown): string | undefined =>
  header === undefined ? undefined : (checkTimes(header) as string)

function rangeOf(header: string | undefined): { readonly start: number; readonly size: number } {
  const [, from = '', to = ''] = /^bytes (\d{1,15})-(\d{1,15})\/\*$/.exec(header ?? '') ?? []
  const [start, end] = [Number(from), Number(to)]
  if (from === '' || end < start)
    throw new Refusal(
      'invalid',
      'Cannot append to the log as Content-Range must be `bytes <first>-<last>/*`: it is not',
    )
  const size = end - start + 1
  if (size > mostBytes)
    throw new Refusal('too-large', `Cannot append to the log as a range has at most ${mostBytes} bytes: it has ${size}`)
  return { start, size }
}
