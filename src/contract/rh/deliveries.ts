import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'

/** How a delivery stands: it waits for its next attempt, was taken, or was given up. */
export const deliveryStates = ['pending', 'delivered', 'dead'] as const

const glance = {
  id: Uuid,
  webhook_id: Uuid,
  event: Type.Object({ id: Type.String(), type: Type.String() }),
  state: OneOf(...deliveryStates),
  /** Since it was last asked for. */
  attempts: Type.Integer(),
  created_at: Time,
  /** Of one that waits. */
  next_attempt_at: Nullable(Time),
  finished_at: Nullable(Time),
  /** What the receiver answered last, or why it did not. */
  status_code: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
}

/** One event on its way to one webhook. */
export const Delivery = Type.Object(glance)
export type Delivery = Static<typeof Delivery>

/** One attempt. */
export const DeliveryAttempt = Type.Object({
  at: Time,
  url: Type.String(),
  duration_ms: Type.Integer(),
  status_code: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  /** The beginning of what the receiver said. */
  answer: Nullable(Type.String()),
})

/** A delivery with what is sent and what came of it; the request is as it would be made now. */
export const WholeDelivery = Type.Object({
  ...glance,
  request: Type.Object({
    method: Type.Literal('POST'),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String(),
  }),
  attempt_log: Type.Array(DeliveryAttempt),
})
export type WholeDelivery = Static<typeof WholeDelivery>

const WebhookParams = Type.Object({ webhook_id: Uuid })
const DeliveryParams = Type.Object({ id: Uuid })

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/webhook/:webhook_id/deliveries',
  summary: 'List what was sent to a webhook or waits to be, newest first',
  access: 'user',
  params: WebhookParams,
  query: Type.Object({
    state: Type.Optional(OneOf(...deliveryStates)),
    'page-token': Type.Optional(Type.String()),
  }),
  response: Page(Delivery),
})

export const getDelivery = endpoint({
  method: 'GET',
  path: '/delivery/:id',
  summary: 'Read a delivery: its request, and each attempt with its answer and time',
  access: 'user',
  params: DeliveryParams,
  response: WholeDelivery,
})

export const redeliver = endpoint({
  method: 'POST',
  path: '/delivery/:id/redeliver',
  summary: 'Send a delivery again, at once and under the same event id',
  access: 'user',
  status: 202,
  params: DeliveryParams,
  response: Delivery,
})

export const pingWebhook = endpoint({
  method: 'POST',
  path: '/webhook/:webhook_id/ping',
  summary: 'Send a test ping to a webhook',
  access: 'user',
  status: 202,
  params: WebhookParams,
  response: Delivery,
})
