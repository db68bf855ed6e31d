import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#kit/refusal.ts'
import { nextIn } from '#server/app/openid.ts'
import type { World } from '#server/app/world.ts'

/** The page that a browser asked for before it was sent to sign in. */
export const wantedPage = ({ query }: FastifyRequest): string | undefined => {
  const { next } = query as { readonly next?: unknown }
  return typeof next === 'string' ? next : undefined
}

/** Brings a browser that was let in back to the page it asked for. */
export const goOn = (reply: FastifyReply, world: World, memo: string): FastifyReply =>
  reply.redirect(nextIn(world, memo))

/** Brings a browser that was not let in to the page to sign in, which says why and still knows where it wanted to go. */
export function goBack(reply: FastifyReply, world: World, memo: string, error: unknown): FastifyReply {
  const next = nextIn(world, memo)
  const problem = error instanceof Refusal ? error.code : 'provider'
  return reply.redirect(`/sign-in?${new URLSearchParams({ problem, ...(next !== '/' && { next }) }).toString()}`)
}
