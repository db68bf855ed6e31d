import { useQuery } from '@tanstack/react-query'
import { redeliver } from '#contract/rh/deliveries.ts'
import { callRh } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { When } from '#web/parts/when.tsx'
import { deliveryQuery } from '#web/read/delivery-queries.ts'
import { lengthOf } from '#web/times.ts'
import { answerText } from './delivery-state.tsx'

/** One delivery, whole: what came of each attempt, and what is sent. */
export function OneDelivery({ id, refused }: { readonly id: string; readonly refused: string | undefined }) {
  const delivery = useQuery(deliveryQuery(id))
  return (
    <section aria-label="One delivery">
      <QueryView query={delivery}>
        {({ event, request, attempt_log }) => (
          <>
            <SectionHead inner name={`The delivery of ${event.type}`} about={<code>{event.id}</code>}>
              <QuickAction name="Send this again" act={() => callRh(redeliver, { params: { id } })} refused={refused} />
            </SectionHead>
            <DataTable
              caption="Attempts"
              empty="Not tried yet."
              rows={attempt_log}
              keyOf={({ at }) => at}
              columns={[
                { name: 'When', cell: ({ at }) => <When at={at} /> },
                { name: 'Took', number: true, cell: ({ duration_ms }) => lengthOf(duration_ms) },
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
            <CopiedText name="Body of the delivery" text={request.body} shown={readable(request.body)} />
            <p className="soft">Shown in lines. What is sent, signed and copied has none.</p>
          </>
        )}
      </QueryView>
    </section>
  )
}

const readable = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)
