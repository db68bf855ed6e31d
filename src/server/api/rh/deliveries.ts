import * as contract from '#contract/rh/deliveries.ts'
import type { App } from '#server/app/app.ts'
import * as log from '#server/app/delivery-log.ts'
import type { Serving } from '#server/api/serve.ts'

const deliveryView = (row: log.DeliveryGlance): contract.Delivery => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event: { id: row.event_id, type: row.event_type },
  state: row.state as contract.Delivery['state'],
  attempts: row.attempts,
  created_at: row.created_at,
  next_attempt_at: row.state === 'pending' ? row.next_at : null,
  finished_at: row.finished_at,
  status_code: row.status_code,
  error: row.error,
})

/** What was sent to webhooks, and sending it again. */
export function serveDeliveries({ serve }: Serving, app: App): void {
  serve(contract.listDeliveries, async ({ caller, params, query }) => {
    const { items, next } = await log.listDeliveries(app, caller, params.webhook_id, query.state, query['page-token'])
    return { items: items.map(deliveryView), next_page_token: next }
  })
  serve(contract.getDelivery, async ({ caller, params }) => {
    const { delivery, request, attempts } = await log.wholeDelivery(app, caller, params.id)
    return {
      ...deliveryView(delivery),
      request: { method: 'POST' as const, url: request.url, headers: { ...request.headers }, body: request.body },
      attempt_log: attempts.map((attempt) => ({
        at: attempt.at,
        url: attempt.url,
        duration_ms: attempt.took_ms,
        status_code: attempt.status_code,
        error: attempt.error,
        answer: attempt.answer,
      })),
    }
  })
  serve(contract.redeliver, async ({ caller, params }) => deliveryView(await log.redeliver(app, caller, params.id)))
  serve(contract.pingWebhook, async ({ caller, params }) =>
    deliveryView(await log.pingWebhook(app, caller, params.webhook_id)),
  )
}
