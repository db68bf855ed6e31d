import { orNotFound } from '#kit/refusal.ts'
import {
  attemptsOf,
  type AttemptRow,
  deliveriesOf,
  deliveryById,
  type DeliveryRow,
  repeatDelivery,
} from '#server/store/deliveries.ts'
import { openLanes } from '#server/store/lanes.ts'
import type { WebhookRow } from '#server/store/webhooks.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { requestsTo } from './deliveries.ts'
import { newDelivery, post } from './dispatch.ts'
import { laneOf } from './lanes.ts'
import type { PageOf } from './lists.ts'
import type { Post } from './outgoing.ts'
import { bodyFor } from './payload.ts'
import { webhookFor } from './webhooks.ts'

/** A delivery as a list shows it: without what is sent. */
export type DeliveryGlance = Omit<DeliveryRow, 'body'>

const pageSize = 50
const mostAttempts = 200

/** What was sent to a webhook or waits to be, newest first. */
export async function listDeliveries(
  app: App,
  caller: Caller,
  webhook: string,
  state: string | undefined,
  token: string | undefined,
): Promise<PageOf<DeliveryGlance>> {
  await webhookFor(app.world, caller, webhook)
  const list = `deliveries:${webhook}`
  const page = app.cursors.read(list, token, { state })
  const wanted = page ? page.filter['state'] : state
  const rows = await deliveriesOf(app.world.db, webhook, { state: wanted, below: page?.after }, pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return {
    items,
    next:
      last && rows.length > pageSize ? app.cursors.write(list, { after: last.id, filter: { state: wanted } }) : null,
  }
}

async function deliveryFor(
  { world }: App,
  caller: Caller,
  id: string,
): Promise<{ readonly delivery: DeliveryRow; readonly hook: WebhookRow }> {
  const delivery = orNotFound(await deliveryById(world.db, { id }), 'Delivery')
  return { delivery, hook: await webhookFor(world, caller, delivery.webhook_id, 'Delivery') }
}

/** A delivery with its request, as it would be made now, and what came of its attempts. */
export async function wholeDelivery(
  app: App,
  caller: Caller,
  id: string,
): Promise<{ readonly delivery: DeliveryRow; readonly request: Post; readonly attempts: readonly AttemptRow[] }> {
  const { delivery, hook } = await deliveryFor(app, caller, id)
  const attempts = await attemptsOf(app.world.db, { delivery: id, most: mostAttempts })
  return { delivery, request: requestsTo(app.world, hook)(delivery), attempts }
}

/** Sends a delivery again, however it stands, under the same event id. */
export async function redeliver(app: App, caller: Caller, id: string): Promise<DeliveryGlance> {
  const { world } = app
  const { delivery, hook } = await deliveryFor(app, caller, id)
  const now = world.now()
  await world.db.transaction().execute(async (tx) => {
    await repeatDelivery(tx, delivery.id, now)
    await openLanes(tx, [laneOf('webhook', hook.id, hook.url, now)])
  })
  world.bell.ring('deliveries')
  return { ...delivery, state: 'pending', attempts: 0, next_at: now, finished_at: null }
}

/** Sends something that says nothing, to see whether a webhook works (§6). */
export async function pingWebhook({ world }: App, caller: Caller, id: string): Promise<DeliveryGlance> {
  const hook = await webhookFor(world, caller, id)
  const event = { type: 'ping', id: world.newId(), happened_at: world.now() }
  const delivery = newDelivery(world, hook, event.id, event.type, bodyFor(hook, event))
  await world.db.transaction().execute((tx) => post(tx, [{ delivery, hook }]))
  world.bell.ring('deliveries')
  return delivery
}
