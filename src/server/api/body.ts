import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#kit/refusal.ts'
import { multipartFields } from './multipart.ts'

/** A body that is read whole has come after so long: whoever sends a byte a minute would be waited for all day. */
const patienceMs = 60_000

const deadlines = new WeakMap<FastifyRequest, NodeJS.Timeout>()

/** Bodies are read as bytes whatever they claim to be: what an endpoint makes of them depends on its generation. */
export function readBodies(http: FastifyInstance, withinMs: number = patienceMs): void {
  http.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (length !== '0' || coding !== undefined) {
      const late = () => {
        // Nobody reads it any more: who sent it has gone.
        if (payload.listenerCount('error') === 0) return
        void reply.header('connection', 'close')
        // Whoever reads the body is told so, and answers; nothing was done yet.
        payload.emit(
          'error',
          Object.assign(new Error('Cannot read the body: it did not come in time'), { statusCode: 408 }),
        )
      }
      deadlines.set(request, setTimeout(late, withinMs).unref())
    }
    done(null, payload)
  })
  // It has come, or somebody reads it as it comes, and has deadlines of their own.
  http.addHook('preValidation', (request, _reply, done) => {
    clearTimeout(deadlines.get(request))
    done()
  })
  http.addHook('onError', (request, _reply, _error, done) => {
    clearTimeout(deadlines.get(request))
    done()
  })
  http.removeAllContentTypeParsers()
  // JSON by its name too: what is read by the parser for all types has its type taken apart anew each time.
  for (const type of ['application/json', '*'])
    http.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
}

/**
 * The body of a request as JSON. Nothing, an empty form and `{}` without a type are all an empty map;
 * a real body must say that it is JSON, or a client would lose its parameters without knowing.
 */
export function jsonBody(request: FastifyRequest, acceptForms: boolean): unknown {
  const bytes = request.body as Buffer | undefined
  if (bytes === undefined || bytes.length === 0) return {}
  const declared = request.headers['content-type'] ?? ''
  if (declared === 'application/json') return parsed(bytes) ?? {}
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/[/+]json$/.test(type)) return parsed(bytes) ?? {}
  const text = bytes.toString('utf8').trim()
  if (text === '' || text === '{}' || text === 'null') return {}
  if (acceptForms && type === 'application/x-www-form-urlencoded') return formBody(new URLSearchParams(text))
  if (acceptForms && type === 'multipart/form-data')
    return formBody(multipartFields(bytes, request.headers['content-type'] ?? ''))
  if (acceptForms && type === '') return parsed(bytes) ?? {}
  throw new Refusal(
    'invalid',
    `Cannot read the body as it must be declared as application/json: it is ${type === '' ? 'not declared' : type.slice(0, 100)}`,
  )
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Refusal('invalid', 'Invalid JSON body.')
  }
}

/** `a=1&build_parameters[X]=y`, as old clients of generation 1.1 send it. */
function formBody(fields: Iterable<readonly [string, string]>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of fields) {
    const [, map, key] = /^(\w+)\[(\w+)\]$/.exec(name) ?? []
    if (map === undefined || key === undefined) body[name] = value
    else body[map] = { ...(body[map] as Record<string, unknown> | undefined), [key]: value }
  }
  return body
}
