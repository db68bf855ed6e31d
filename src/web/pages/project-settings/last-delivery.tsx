import { useInfiniteQuery } from '@tanstack/react-query'
import { deliveriesQuery } from '#web/read/delivery-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { answerText, DeliveryState } from './delivery-state.tsx'

/** How the newest delivery of a webhook stands: which of several is in trouble is seen without looking into each. */
export function LastDelivery({ hook }: { readonly hook: string }) {
  const { data } = useInfiniteQuery(deliveriesQuery(hook, undefined))
  if (!data) return undefined
  const [last] = itemsOf(data)
  if (!last) return 'None yet'
  return (
    <>
      <DeliveryState {...last} />
      {last.state !== 'delivered' && last.attempts > 0 && <div className="small soft">{answerText(last)}</div>}
    </>
  )
}
