import { createHmac } from 'node:crypto'
import { eventTypeHeaders, names, signatureHeaders } from '#core/names.ts'
import { later } from '#kit/brand.ts'
import {
  type DeliveryRow,
  nextDue,
  releaseTaken,
  takeDue,
  updateDelivery,
  webhookById,
} from '#server/store/webhooks.ts'
import { nextNoticeDue, releaseTakenNotices } from '#server/store/notices.ts'
import type { World } from './world.ts'

/** Waits before each attempt after the first; after the last one the delivery is dead. */
const waits = [30_000, 120_000, 600_000, 1_800_000, 7_200_000]

/** How long a server that took a delivery may stay silent before another one sends it. */
export const takenMs = 60_000

/** One request that must be made. */
export interface Outgoing {
  readonly delivery: DeliveryRow
  readonly url: string
  readonly verifyTls: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** The signature of generation 1: hexadecimal HMAC-SHA256 of the raw body (§6). */
export const signatureOf = (secret: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Takes deliveries that are due; a server that dies with them leaves them to others after a minute, with the same ids. */
export async function takeDeliveries(world: World, most: number): Promise<readonly Outgoing[]> {
  const now = world.now()
  const rows = await world.db.transaction().execute((tx) => takeDue(tx, now, later(now, takenMs), most))
  const outgoing: Outgoing[] = []
  for (const delivery of rows) {
    const hook = await webhookById(world.db, delivery.webhook_id)
    if (!hook) continue
    const secret = world.seal.open(hook.secret)
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'User-Agent': names[world.terms.dialect].userAgent,
    }
    for (const name of eventTypeHeaders) headers[name] = delivery.event_type
    if (secret !== '') for (const name of signatureHeaders) headers[name] = signatureOf(secret, delivery.body)
    outgoing.push({ delivery, url: hook.url, verifyTls: hook.verify_tls === 1, headers })
  }
  return outgoing
}

/** What came of an attempt. */
export type Answer = { readonly status: number } | { readonly error: string }

/** What an attempt makes of something that is to be sent: done, tried again later, or given up. */
export function outcomeOf(world: World, { attempts: before }: Pick<DeliveryRow, 'attempts'>, answer: Answer) {
  const at = world.now()
  const attempts = before + 1
  const status_code = 'status' in answer ? answer.status : null
  const done = status_code !== null && status_code >= 200 && status_code < 300
  const wait = waits[attempts - 1]
  const state = done ? 'delivered' : wait === undefined ? 'dead' : 'pending'
  return {
    state,
    attempts,
    status_code,
    error: 'error' in answer ? answer.error.slice(0, 500) : null,
    next_at: wait === undefined ? at : later(at, wait),
    taken_until: null,
    finished_at: state === 'pending' ? null : at,
  }
}

/** Writes down what came of an attempt. */
export async function settleDelivery(world: World, delivery: DeliveryRow, answer: Answer): Promise<void> {
  const to = outcomeOf(world, delivery, answer)
  await world.db.transaction().execute((tx) => updateDelivery(tx, delivery.id, to))
}

/** After the death of the only server: what it was sending is sent again at once, with the same ids. */
export const resumeDeliveries = (world: World): Promise<void> =>
  world.db.transaction().execute(async (tx) => {
    await releaseTaken(tx)
    await releaseTakenNotices(tx)
  })

/** When the next delivery wants to be sent. */
export async function nextDeliveryAt({ db }: World): Promise<string | undefined> {
  const [webhook, notice] = [await nextDue(db), await nextNoticeDue(db)]
  return webhook === undefined || (notice !== undefined && notice < webhook) ? notice : webhook
}
