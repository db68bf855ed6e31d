import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { type Delivery, type deliveryStates, pingWebhook, redeliver } from '#contract/rh/deliveries.ts'
import { callRh } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { Tone } from '#web/parts/tone.tsx'
import { When } from '#web/parts/when.tsx'
import { deliveriesQuery, deliveryQuery } from '#web/read/delivery-queries.ts'
import type { Tone as ToneWord } from '#web/status-look.ts'

interface Props {
  readonly hook: string
  readonly refused: string | undefined
}

const states: Readonly<Record<(typeof deliveryStates)[number], { readonly tone: ToneWord; readonly name: string }>> = {
  pending: { tone: 'wait', name: 'Waits for its next attempt' },
  delivered: { tone: 'good', name: 'Delivered' },
  dead: { tone: 'bad', name: 'Given up' },
}

/** What a receiver said, or why nothing was heard of it. */
const answerText = ({ status_code, error }: Pick<Delivery, 'status_code' | 'error'>): string =>
  error ?? (status_code === null ? 'Not tried yet' : `Answered ${status_code}`)

/** What was sent to a webhook, and a test of whether it arrives; which delivery is looked at is in the address. */
export function Deliveries({ hook, refused }: Props) {
  const deliveries = useInfiniteQuery(deliveriesQuery(hook))
  const [search] = useSearchParams()
  const chosen = search.get('delivery')
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
      <PagedTable
        list={deliveries}
        more="Older deliveries"
        caption="Deliveries, newest first"
        empty="Nothing was sent yet. Send a test ping to see whether the receiver answers."
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
          { name: 'State', cell: ({ state }) => <Tone tone={states[state].tone}>{states[state].name}</Tone> },
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
      {chosen !== null && <Whole id={chosen} />}
    </section>
  )
}

function Whole({ id }: { readonly id: string }) {
  const delivery = useQuery(deliveryQuery(id))
  return (
    <section aria-label="One delivery">
      <QueryView query={delivery}>
        {({ event, request, attempt_log }) => (
          <>
            <h3>The delivery of {event.type}</h3>
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
