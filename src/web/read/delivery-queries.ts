import { queryOptions } from '@tanstack/react-query'
import { type deliveryStates, getDelivery, listDeliveries } from '#contract/rh/deliveries.ts'
import { callRh } from '#web/api/calls.ts'
import { pagedQuery } from './pages.ts'

// Nobody rings when a receiver answers: whoever watches a delivery wants to see it soon.
const soon = 3_000

/** What was sent to a webhook, newest first; all of it, or what stands alike. */
export const deliveriesQuery = (webhook: string, state: (typeof deliveryStates)[number] | undefined) => ({
  ...pagedQuery(['deliveries', webhook, state ?? ''], (query, signal) =>
    callRh(
      listDeliveries,
      { params: { webhook_id: webhook }, query: { ...query, ...(state && { state }) } },
      { signal },
    ),
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
