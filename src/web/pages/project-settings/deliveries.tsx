import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { type Delivery, type deliveryStates, pingWebhook, redeliver } from '#contract/rh/deliveries.ts'
import { callRh } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { deliveriesQuery, deliveryQuery } from '#web/read/delivery-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useAction } from '#web/read/use-action.ts'

interface Props {
  readonly hook: string
  readonly refused: string | undefined
}

const states: Readonly<Record<(typeof deliveryStates)[number], string>> = {
  pending: 'Waits for its next attempt',
  delivered: 'Delivered',
  dead: 'Given up',
}

/** What a receiver said, or why nothing was heard of it. */
const answerText = ({ status_code, error }: Pick<Delivery, 'status_code' | 'error'>): string =>
  error ?? (status_code === null ? 'Not tried yet' : `Answered ${status_code}`)

/** What was sent to a webhook, and a test of whether it arrives; which delivery is looked at is in the address. */
export function Deliveries({ hook, refused }: Props) {
  const deliveries = useInfiniteQuery(deliveriesQuery(hook))
  const [search] = useSearchParams()
  const chosen = search.get('delivery')
  const ping = useAction(() => callRh(pingWebhook, { params: { webhook_id: hook } }))
  return (
    <section aria-label="Deliveries">
      <div className="heading">
        <h3>Deliveries</h3>
        <div className="actions">
          <button
            type="button"
            disabled={ping.isPending}
            aria-disabled={refused !== undefined}
            title={refused}
            onClick={() => {
              if (refused === undefined) ping.mutate(undefined)
            }}
          >
            Send a test ping
          </button>
          <Trouble error={ping.error} />
        </div>
      </div>
      <QueryView query={deliveries}>
        {(data) => (
          <DataTable
            caption="Deliveries, newest first"
            empty="Nothing was sent yet. Send a test ping to see whether the receiver answers."
            rows={itemsOf(data)}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Event',
                cell: ({ id, event }) => (
                  <Link to={`?webhook=${hook}&delivery=${id}`} preventScrollReset>
                    {event.type}
                  </Link>
                ),
              },
              { name: 'State', cell: ({ state }) => states[state] },
              { name: 'Answer', cell: answerText },
              { name: 'Attempts', number: true, cell: ({ attempts }) => attempts },
              { name: 'When', cell: ({ created_at }) => <When at={created_at} /> },
              { name: 'Actions', unseen: true, cell: (one) => <Again one={one} refused={refused} /> },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="Older deliveries" list={deliveries} />
      {chosen !== null && <Whole id={chosen} />}
    </section>
  )
}

function Again({ one, refused }: { readonly one: Delivery; readonly refused: string | undefined }) {
  const again = useAction(() => callRh(redeliver, { params: { id: one.id } }))
  return (
    <div className="row-actions">
      <button
        type="button"
        className="quiet"
        aria-label={`Send again: ${one.event.type}`}
        aria-disabled={refused !== undefined}
        title={refused}
        disabled={again.isPending}
        onClick={() => {
          if (refused === undefined) again.mutate(undefined)
        }}
      >
        Send again
      </button>
      <Trouble error={again.error} />
    </div>
  )
}

function Whole({ id }: { readonly id: string }) {
  const delivery = useQuery(deliveryQuery(id))
  return (
    <section aria-label="One delivery">
      <h3>Delivery</h3>
      <QueryView query={delivery}>
        {({ request, attempt_log }) => (
          <>
            <DataTable
              caption="Attempts"
              empty="Not tried yet."
              rows={attempt_log}
              keyOf={({ at }) => at}
              columns={[
                { name: 'When', cell: ({ at }) => <When at={at} /> },
                { name: 'Took', number: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
                { name: 'Answer', cell: answerText },
                { name: 'What it said', cell: ({ answer }) => <code>{answer}</code> },
              ]}
            />
            <h4>Headers</h4>
            <CopiedText
              name="Headers of the delivery"
              text={Object.entries(request.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
            />
            <h4>Body</h4>
            <CopiedText name="Body of the delivery" text={request.body} />
          </>
        )}
      </QueryView>
    </section>
  )
}
