import { type EventRow, markDispatched, undispatched } from '#server/store/events.ts'
import { type DeliveryRow, insertDeliveries } from '#server/store/deliveries.ts'
import { openLanes } from '#server/store/lanes.ts'
import { insertMessages, type MessageRow } from '#server/store/messages.ts'
import { insertNotice, type NoticeRow } from '#server/store/notices.ts'
import type { Tx } from '#server/store/schema.ts'
import { webhooksOf, type WebhookRow } from '#server/store/webhooks.ts'
import { between, type Instant } from '#kit/brand.ts'
import { laneOf } from './lanes.ts'
import { dueNow, type LaneKind } from './outgoing.ts'
import { bodyFor, payloadOf } from './payload.ts'
import type { Revisions } from './revisions.ts'
import type { World } from './world.ts'

/** A message to somebody, and where it goes if that is an address. */
export interface Told {
  readonly message: MessageRow
  readonly url: string | undefined
}

/** What else must be sent because of an event. */
export interface Others {
  readonly notices?: (event: EventRow) => Promise<readonly NoticeRow[]>
  readonly messages?: (event: EventRow) => Promise<readonly Told[]>
}

interface Sent {
  readonly delivery: DeliveryRow
  readonly hook: WebhookRow
}

/**
 * Turns what happened into what must be sent: one delivery for each event and webhook that wants it, the notices of builds, and
 * what people are told. Interrupted anywhere, it begins again and makes the same things once. Says how many events it took.
 */
export async function dispatchEvents(world: World, findRevision: Revisions, others: Others = {}): Promise<number> {
  const hooks = new Map<string, readonly WebhookRow[]>()
  const [events, sent, notices, told]: [EventRow[], Sent[], NoticeRow[], Told[]] = [[], [], [], []]
  for (const event of await undispatched(world.db, 200)) {
    const known = hooks.get(event.project_id) ?? (await webhooksOf(world.db, { project: event.project_id }))
    hooks.set(event.project_id, known)
    const parts = await Promise.allSettled([
      deliveriesOf(world, findRevision, event, known),
      others.notices?.(event),
      others.messages?.(event),
    ])
    if (isLeft(world, event, parts)) continue
    const [toHooks, ofBuilds, toPeople] = parts
    events.push(event)
    if (toHooks.status === 'fulfilled') sent.push(...toHooks.value)
    if (ofBuilds.status === 'fulfilled') notices.push(...(ofBuilds.value ?? []))
    if (toPeople.status === 'fulfilled') told.push(...(toPeople.value ?? []))
  }
  if (events.length === 0) return 0
  await world.db.transaction().execute(async (tx) => {
    await post(tx, sent)
    for (const notice of notices) await insertNotice(tx, notice)
    await insertMessages(
      tx,
      told.map(({ message }) => message),
    )
    await openLanes(tx, [
      ...notices
        .filter(({ state }) => state === 'pending')
        .map(({ url, next_at }) => laneAt('notice', url, url, next_at)),
      ...told
        .filter(({ message }) => message.state === 'pending')
        .map(({ message, url }) => laneAt(message.kind as LaneKind, message.subject, url, message.next_at)),
    ])
    await markDispatched(
      tx,
      events.map(({ id }) => id),
      world.now(),
    )
  })
  if (sent.length > 0 || notices.length > 0 || told.length > 0) world.bell.ring('deliveries')
  for (const { message } of told) if (message.kind === 'browser') world.bell.ring(`notifications:${message.subject}`)
  return events.length
}

/** So long what cannot be made of an event is tried again; then the event goes its way without it. */
const patienceMs = 60_000

const failing = new WeakMap<World, Map<string, Instant>>()

/** Whether an event is left to a later turn, as something cannot be made of it. One that is broken must not hold up all the others. */
function isLeft(world: World, event: EventRow, parts: readonly PromiseSettledResult<unknown>[]): boolean {
  const since = failing.get(world) ?? new Map<string, Instant>()
  failing.set(world, since)
  const failed = parts.find((part) => part.status === 'rejected')
  const first = since.get(event.id) ?? world.now()
  const isPatient = failed !== undefined && between(first, world.now()) < patienceMs
  if (isPatient) since.set(event.id, first)
  else since.delete(event.id)
  if (failed) {
    const words = isPatient ? 'An event cannot be told yet' : 'An event is told without what cannot be made of it'
    world.log.error(words, { event: event.id, project: event.project_id, error: String(failed.reason) })
  }
  return isPatient
}

const laneAt = (kind: LaneKind, subject: string, url: string | undefined, at: string) =>
  laneOf(kind, subject, url, at as Instant)

/** Keeps deliveries, and says that they wait. Whoever calls rings `deliveries` afterwards. */
export async function post(tx: Tx, sent: readonly Sent[]): Promise<void> {
  await insertDeliveries(
    tx,
    sent.map(({ delivery }) => delivery),
  )
  await openLanes(
    tx,
    sent.map(({ delivery, hook }) => laneAt('webhook', hook.id, hook.url, delivery.next_at)),
  )
}

async function deliveriesOf(
  world: World,
  findRevision: Revisions,
  event: EventRow,
  hooks: readonly WebhookRow[],
): Promise<readonly Sent[]> {
  const wanting = hooks.filter((hook) => (JSON.parse(hook.events) as string[]).includes(event.kind))
  if (wanting.length === 0) return []
  const payload = await payloadOf(world, findRevision, event)
  if (!payload) return []
  return wanting.map((hook) => ({
    hook,
    delivery: newDelivery(world, hook, event.id, event.kind, bodyFor(hook, payload)),
  }))
}

/** A delivery that is due now. */
export function newDelivery(world: World, hook: WebhookRow, event: string, type: string, body: string): DeliveryRow {
  const at = world.now()
  return {
    id: world.newId(),
    webhook_id: hook.id,
    event_id: event,
    event_type: type,
    body,
    created_at: at,
    ...dueNow(at),
  }
}
