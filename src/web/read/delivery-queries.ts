import { queryOptions } from '@tanstack/react-query'
import { getDelivery, listDeliveries } from '#contract/rh/deliveries.ts'
import { callRh } from '#web/api/calls.ts'
import { pagedQuery } from './pages.ts'

// Nobody rings when a receiver answers: whoever watches a delivery wants to see it soon.
const soon = 3_000

/** What was sent to a webhook, newest first. */
export const deliveriesQuery = (webhook: string) => ({
  ...pagedQuery(['deliveries', webhook], (query, signal) =>
    callRh(listDeliveries, { params: { webhook_id: webhook }, query }, { signal }),
  ),
  refetchInterval: soon,
})

/** One delivery, whole. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => callRh(getDelivery, { params: { id } }, { signal }),
    refetchInterval: soon,
  })
