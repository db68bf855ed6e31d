import { createHmac } from 'node:crypto'
import { eventTypeHeaders, names, signatureHeaders } from '#core/names.ts'
import { dueDeliveries, insertAttempts, nextDelivery } from '#server/store/deliveries.ts'
import { webhookById, type WebhookRow } from '#server/store/webhooks.ts'
import type { Outlet, Post } from './outgoing.ts'
import type { World } from './world.ts'

/** The signature of generation 1: hexadecimal HMAC-SHA256 of the raw body (§6). */
export const signatureOf = (secret: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(body).digest('hex')}`

/** The headers of every request that we make by ourselves. */
export const usualHeaders = (world: World): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/json',
  'User-Agent': names[world.terms.dialect].userAgent,
})

/** Makes the request of a delivery to a webhook; the secret is opened once for all of them. */
export function requestsTo(world: World, hook: WebhookRow) {
  const secret = world.seal.open(hook.secret)
  const usual = usualHeaders(world)
  return ({ event_type, body }: { readonly event_type: string; readonly body: string }): Post => {
    const headers: Record<string, string> = { ...usual }
    for (const name of eventTypeHeaders) headers[name] = event_type
    const signature = secret === '' ? undefined : signatureOf(secret, body)
    if (signature !== undefined) for (const name of signatureHeaders) headers[name] = signature
    return { url: hook.url, verifyTls: hook.verify_tls === 1, headers, body }
  }
}

/** Events on their way to webhooks. */
export const webhookOutlet: Outlet = {
  table: 'deliveries',
  async due(world, subject, at) {
    const hook = await webhookById(world.db, subject)
    if (!hook) return []
    const requestOf = requestsTo(world, hook)
    const rows = await dueDeliveries(world.db, { ...at, webhook: subject })
    return rows.map((row) => ({
      id: row.id,
      next_at: row.next_at,
      attempts: row.attempts,
      way: { post: requestOf(row) },
    }))
  },
  next: (db, subject) => nextDelivery(db, { webhook: subject }),
  record: (world, tx, attempts) =>
    insertAttempts(
      tx,
      attempts.map(({ letter, at, tookMs, answer }) => ({
        id: world.newId(),
        delivery_id: letter.id,
        url: letter.url,
        at,
        took_ms: tookMs,
        status_code: 'status' in answer ? answer.status : null,
        error: 'error' in answer ? answer.error.slice(0, 500) : null,
        answer: 'text' in answer ? (answer.text ?? null) : null,
      })),
    ),
}
