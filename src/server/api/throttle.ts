import type { FastifyReply, FastifyRequest } from 'fastify'
import { buckets } from '#kit/buckets.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Caller } from '#server/app/callers.ts'
import type { World } from '#server/app/world.ts'

/** Counts a request for one kind of resource, and refuses it when its caller had too many. */
export type Throttle = (caller: Caller, request: FastifyRequest, reply: FastifyReply) => void

/** A throttle for one kind of resource (§8). Agents and jobs are our own and go free. */
export function throttle({ terms }: World): Throttle {
  if (!terms.rate) return () => {}
  const all = buckets(terms.rate.perSecond, terms.rate.burst)
  const limit = String(all.burst)
  return (caller, request, reply) => {
    const who = whoOf(caller, request)
    if (who === undefined) return
    // The clock of the machine: what is counted here is not what happens in the world's time.
    const { ok, remaining, wait, reset } = all.take(who, Date.now())
    // Told only to those whom it may concern: writing them costs more than counting.
    if (remaining * 2 >= all.burst) return
    reply.header('ratelimit-limit', limit).header('ratelimit-remaining', remaining).header('ratelimit-reset', reset)
    if (ok) return
    reply.header('retry-after', wait)
    throw new Refusal('throttled', 'Rate limit exceeded.')
  }
}

function whoOf(caller: Caller, request: FastifyRequest): string | undefined {
  switch (caller.kind) {
    case 'user':
      return caller.id
    case 'project':
      return caller.project
    case 'anonymous':
      return request.ip
    case 'agent':
    case 'job':
    case 'checkout':
      return undefined
    default:
      return caller satisfies never
  }
}
