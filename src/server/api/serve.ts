import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#contract/catalog.ts'
import type { Endpoint, Input, Output } from '#contract/endpoint.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { noteDeed } from '#server/app/audit.ts'
import type { Caller } from '#server/app/callers.ts'
import { authorize } from './authorize.ts'
import { anyOrigin } from './cors.ts'
import { jsonBody } from './body.ts'
import { deedOf } from './deed.ts'
import type { LongList } from './v1/long-list.ts'
import { type Throttle, throttle } from './throttle.ts'
import { checker } from './validate.ts'

/** What every handler is given beside what its endpoint declares. */
export interface Call {
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const ready = Symbol('ready')

/** An answer that is JSON already. */
export interface ReadyJson {
  readonly [ready]: string | Buffer
}

/** Answers with what was made before: writing it anew would only cost time, and so would turning a long text into bytes. */
export const readyJson = (made: string | Buffer): ReadyJson => ({ [ready]: made })

/** What an answer that is JSON already consists of. */
export const readyText = (answer: unknown): string | Buffer | undefined =>
  typeof answer === 'object' && answer !== null && ready in answer ? (answer as ReadyJson)[ready] : undefined

/** Answers one endpoint. One whose answer is a stream writes it to `reply` and returns that. */
export type Handler<E> = (input: Input<E> & Call) => Promise<Output<E> | ReadyJson | LongList | FastifyReply>

/** The handlers of a generation, found by their declaration. */
export interface Serving {
  /** Says how an endpoint is answered; types from the declaration, a wrong answer does not compile. */
  readonly serve: <E extends Endpoint>(endpoint: E, handle: Handler<E>) => void
}

/** A handler whose endpoint is known only by the place where it stands. */
type AnyHandler = (input: never) => Promise<unknown>

export type Served = Map<Endpoint, AnyHandler>

export function serving(): Serving & { readonly served: Served } {
  const served: Served = new Map()
  return { served, serve: (endpoint, handle) => void served.set(endpoint, handle) }
}

/** The manners of a generation. */
export interface Manners {
  /** Whether forms, and bodies that do not say what they are, are read as JSON. */
  readonly acceptsForms: boolean
  /** Whether pages of other sites may read the answers, with a token of their own. */
  readonly isOpen: boolean
  readonly write: (request: FastifyRequest, reply: FastifyReply, answer: unknown) => FastifyReply
}

/** Mounts every operation of a generation: access is checked, the request is validated, the handler answers. What has no handler yet answers 501. */
export function mount(
  http: FastifyInstance,
  app: App,
  operations: readonly Operation[],
  served: Served,
  manners: Manners,
): void {
  const limits = new Map<string, Throttle>()
  for (const operation of operations) {
    const { endpoint, generation, tag } = operation
    const handle = served.get(endpoint)
    // One bucket for each noun of a generation: what clients mean by a resource.
    const resource = `${generation} ${tag}`
    const limit = limits.get(resource) ?? throttle(app.world)
    limits.set(resource, limit)
    http.route({
      method: endpoint.method,
      url: endpoint.path,
      exposeHeadRoute: endpoint.method === 'GET' && endpoint.form !== 'stream',
      handler: handle ? answering(app, operation, handle, manners, limit) : notBuilt(app, endpoint),
    })
  }
}

function answering(app: App, operation: Operation, handle: AnyHandler, manners: Manners, limit: Throttle) {
  const { endpoint } = operation
  const { params, query, body } = endpoint.schema
  const checkPath = params && checker('path', params)
  const checkQuery = query && checker('query', query)
  const checkBody = body && checker('body', body)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (manners.isOpen) reply.header(...anyOrigin)
    const found = await authorize(app, endpoint.access, request)
    limit(found, request, reply)
    const caller = endpoint.audited ? { ...found, trail: {} } : found
    const input = {
      caller,
      request,
      reply,
      params: checkPath?.(request.params),
      query: checkQuery?.(request.query),
      body: checkBody?.(jsonBody(request, manners.acceptsForms)),
    }
    const answer = await handle(input as never)
    if (endpoint.audited) await noteDeed(app, caller, deedOf(operation, input))
    // A reply is a promise: awaited, it gives nothing, also when its reader left in the middle.
    if (endpoint.form === 'stream' || reply.sent) return reply
    reply.code(endpoint.status)
    return manners.write(request, reply, answer)
  }
}

function notBuilt(app: App, endpoint: Endpoint) {
  return async (request: FastifyRequest) => {
    await authorize(app, endpoint.access, request)
    throw new Refusal('not-built', `${endpoint.method} ${endpoint.path} is not built yet`)
  }
}

/** JSON as it is: our own interface. */
export const plainManners: Manners = {
  acceptsForms: false,
  isOpen: false,
  write: (_request, reply, answer) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(readyText(answer) ?? JSON.stringify(answer)),
}

/** The same for generation 2, which clients in browsers read too. */
export const openManners: Manners = { ...plainManners, isOpen: true }
