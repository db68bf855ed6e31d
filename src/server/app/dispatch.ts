import type { Instant } from '#kit/brand.ts'
import { type EventRow, markDispatched, undispatched } from '#server/store/events.ts'
import { type DeliveryRow, insertDelivery, webhooksOf, type WebhookRow } from '#server/store/webhooks.ts'
import { insertNotice, type NoticeRow } from '#server/store/notices.ts'
import { bodyFor, payloadOf } from './payload.ts'
import type { Revisions } from './revisions.ts'
import type { World } from './world.ts'

/**
 * Turns what happened into what must be sent: one delivery for each event and webhook that wants it, and the notices of builds.
 * Interrupted anywhere, it begins again and makes the same deliveries once. Says how many events it took.
 */
export async function dispatchEvents(
  world: World,
  findRevision: Revisions,
  noticesOf: (event: EventRow) => Promise<readonly NoticeRow[]> = async () => [],
): Promise<number> {
  const events = await undispatched(world.db, 200)
  if (events.length === 0) return 0
  const hooks = new Map<string, readonly WebhookRow[]>()
  const deliveries: DeliveryRow[] = []
  const notices: NoticeRow[] = []
  for (const event of events) {
    const known = hooks.get(event.project_id) ?? (await webhooksOf(world.db, { project: event.project_id }))
    hooks.set(event.project_id, known)
    deliveries.push(...(await deliveriesOf(world, findRevision, event, known)))
    notices.push(...(await noticesOf(event)))
  }
  await world.db.transaction().execute(async (tx) => {
    for (const delivery of deliveries) await insertDelivery(tx, delivery)
    for (const notice of notices) await insertNotice(tx, notice)
    await markDispatched(
      tx,
      events.map(({ id }) => id),
      world.now(),
    )
  })
  if (deliveries.length > 0 || notices.length > 0) world.bell.ring('deliveries')
  return events.length
}

async function deliveriesOf(
  world: World,
  findRevision: Revisions,
  event: EventRow,
  hooks: readonly WebhookRow[],
): Promise<readonly DeliveryRow[]> {
  const wanting = hooks.filter((hook) => (JSON.parse(hook.events) as string[]).includes(event.kind))
  if (wanting.length === 0) return []
  const payload = await payloadOf(world, findRevision, event)
  return payload ? wanting.map((hook) => newDelivery(world, hook, event.id, event.kind, bodyFor(hook, payload))) : []
}

/** A delivery that is due now. */
export function newDelivery(world: World, hook: WebhookRow, event: string, type: string, body: string): DeliveryRow {
  const at: Instant = world.now()
  return {
    id: world.newId(),
    webhook_id: hook.id,
    event_id: event,
    event_type: type,
    body,
    state: 'pending',
    attempts: 0,
    next_at: at,
    taken_until: null,
    status_code: null,
    error: null,
    created_at: at,
    finished_at: null,
  }
}
