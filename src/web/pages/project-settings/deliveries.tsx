import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { deliveryStates, pingWebhook, redeliver } from '#contract/rh/deliveries.ts'
import { callRh } from '#web/api/calls.ts'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { When } from '#web/parts/when.tsx'
import { deliveriesQuery } from '#web/read/delivery-queries.ts'
import { answerText, DeliveryState } from './delivery-state.tsx'
import { OneDelivery } from './one-delivery.tsx'

interface Props {
  readonly hook: string
  readonly refused: string | undefined
}

type State = (typeof deliveryStates)[number]

const names: Readonly<Record<State, string>> = { pending: 'On their way', delivered: 'Delivered', dead: 'Given up' }

/** What was sent to a webhook, and a test of whether it arrives; which delivery is looked at, and which are listed, is in the address. */
export function Deliveries({ hook, refused }: Props) {
  const [search] = useSearchParams()
  const chosen = search.get('delivery')
  const state = deliveryStates.find((one) => one === search.get('state'))
  const deliveries = useInfiniteQuery(deliveriesQuery(hook, state))
  const to = (wanted: State | undefined, delivery?: string) =>
    `?${new URLSearchParams({ webhook: hook, ...(wanted && { state: wanted }), ...(delivery !== undefined && { delivery }) })}`
  return (
    <section aria-label="Deliveries">
      <SectionHead inner name="Deliveries">
        <QuickAction
          name="Send a test ping"
          look="strong"
          act={() => callRh(pingWebhook, { params: { webhook_id: hook } })}
          refused={refused}
        />
      </SectionHead>
      <nav className="filters" aria-label="Which deliveries">
        <ul className="segments">
          {[undefined, ...deliveryStates].map((one) => (
            <li key={one ?? 'all'}>
              <Link to={to(one)} preventScrollReset aria-current={state === one ? 'true' : undefined}>
                {one === undefined ? 'All' : names[one]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PagedTable
        list={deliveries}
        more="Older deliveries"
        caption="Deliveries, newest first"
        empty={
          state === undefined
            ? 'Nothing was sent yet. Send a test ping to see whether the receiver answers.'
            : 'None of them stands so.'
        }
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Event',
            cell: ({ id, event }) => (
              <Link to={to(state, id)} preventScrollReset aria-current={id === chosen ? 'true' : undefined}>
                {event.type}
              </Link>
            ),
          },
          { name: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
          { name: 'Answer', cell: answerText },
          { name: 'Attempts', number: true, cell: ({ attempts }) => attempts },
          { name: 'When', cell: ({ created_at }) => <When at={created_at} /> },
          {
            name: 'Actions',
            unseen: true,
            cell: ({ id, event }) => (
              <QuickAction
                name="Send again"
                what={event.type}
                act={() => callRh(redeliver, { params: { id } })}
                refused={refused}
              />
            ),
          },
        ]}
      />
      {chosen !== null && <OneDelivery id={chosen} refused={refused} />}
    </section>
  )
}
