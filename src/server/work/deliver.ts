import type { Agent } from 'undici'
import type { App } from '#server/app/app.ts'
import { settleNotice, takeNotices } from '#server/app/builds/notices.ts'
import { type Answer, type Outgoing, nextDeliveryAt, settleDelivery, takeDeliveries } from '#server/app/deliveries.ts'
import { guardedLookup, hostIsAllowed } from '#server/app/guard.ts'
import type { Loop } from './loop.ts'

const timeoutMs = 5_000
const together = 32

/** One request, and what to do with its answer. */
interface Sending extends Omit<Outgoing, 'delivery'> {
  readonly id: string
  readonly body: string
  readonly settle: (answer: Answer) => Promise<void>
}

/** Sends webhooks and notices of builds. A receiver that hangs holds up its own deliveries only. */
export function deliveryLoop(app: App): Loop & AsyncDisposable {
  const { world } = app
  const agents = new Map<string, Agent>()
  const underway = new Set<Promise<void>>()

  async function agentFor(verifyTls: boolean, allowed: boolean): Promise<Agent> {
    const key = `${verifyTls}:${allowed}`
    const known = agents.get(key)
    if (known) return known
    // Loaded with the first delivery: most installations of an hour have none, and it is large.
    const undici = await import('undici')
    const made = new undici.Agent({
      connect: { rejectUnauthorized: verifyTls, lookup: guardedLookup(allowed) as never, timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: 10_000,
    })
    agents.set(key, made)
    return made
  }

  async function send({ body, url, headers, verifyTls }: Sending): Promise<Answer> {
    try {
      const dispatcher = await agentFor(verifyTls, hostIsAllowed(url, world.terms.webhookHosts))
      const { request } = await import('undici')
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers },
        body,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      })
      // What it says is nobody's business, and may be endless.
      answer.body.on('error', () => {}).destroy()
      return { status: answer.statusCode }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  async function one(sending: Sending): Promise<void> {
    const answer = await send(sending)
    await sending.settle(answer).catch((error: unknown) => {
      world.log.error('Cannot note a delivery', { delivery: sending.id, error: String(error) })
    })
  }

  return {
    name: 'deliveries',
    topics: ['deliveries'],
    everyMs: 5_000,
    async turn() {
      const free = together - underway.size
      const due = free > 0 ? await take(free) : []
      for (const request of due) {
        const sending = one(request).finally(() => underway.delete(sending))
        underway.add(sending)
      }
      if (underway.size >= together) await Promise.race(underway)
      return due.length > 0 || (await isDue())
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(underway)
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }

  async function take(most: number): Promise<readonly Sending[]> {
    const webhooks = (await takeDeliveries(world, most)).map(({ delivery, ...how }) => ({
      ...how,
      id: delivery.id,
      body: delivery.body,
      settle: (answer: Answer) => settleDelivery(world, delivery, answer),
    }))
    if (webhooks.length >= most) return webhooks
    const notices = (await takeNotices(world, most - webhooks.length)).map(({ notice, ...how }) => ({
      ...how,
      id: notice.id,
      body: notice.body,
      settle: (answer: Answer) => settleNotice(world, notice, answer),
    }))
    return [...webhooks, ...notices]
  }

  async function isDue(): Promise<boolean> {
    const next = await nextDeliveryAt(world)
    return next !== undefined && next <= world.now()
  }
}
