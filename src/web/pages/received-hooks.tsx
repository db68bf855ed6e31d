import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { type Hook, replayHook } from '#contract/rh/receivers.ts'
import { callRh } from '#web/api/calls.ts'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { Tone } from '#web/parts/tone.tsx'
import { When } from '#web/parts/when.tsx'
import { hookQuery, hooksQuery } from '#web/read/housekeeping-queries.ts'
import type { Tone as ToneWord } from '#web/status-look.ts'

const states: Readonly<Record<Hook['state'], { readonly tone: ToneWord; readonly name: string }>> = {
  pending: { tone: 'wait', name: 'Waits' },
  done: { tone: 'good', name: 'Done' },
  ignored: { tone: 'idle', name: 'Ignored' },
  failed: { tone: 'bad', name: 'Failed' },
}

/** What a provider told at one address, what came of it, and a way to do it once more. */
export function ReceivedHooks({ receiver }: { readonly receiver: string }) {
  const hooks = useInfiniteQuery(hooksQuery(receiver))
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const chosen = search.get('hook')
  return (
    <section aria-label="What came">
      <h4>What came</h4>
      <PagedTable
        list={hooks}
        more="Older hooks"
        caption="What the provider told, newest first"
        empty="Nothing came yet. Push something, or let the provider send a test; if nothing comes then, its own log of webhooks says why."
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Event',
            cell: ({ id, event }) => (
              <Link to={`${pathname}?receiver=${receiver}&hook=${id}`} preventScrollReset>
                {event}
              </Link>
            ),
          },
          { name: 'State', cell: ({ state }) => <Tone tone={states[state].tone}>{states[state].name}</Tone> },
          { name: 'What came of it', cell: ({ outcome }) => outcome ?? '–' },
          { name: 'When', cell: ({ received_at }) => <When at={received_at} /> },
          {
            name: 'Actions',
            unseen: true,
            cell: ({ id, event }) => (
              <QuickAction name="Replay" what={event} act={() => callRh(replayHook, { params: { hook_id: id } })} />
            ),
          },
        ]}
      />
      {chosen !== null && <Whole id={chosen} />}
    </section>
  )
}

function Whole({ id }: { readonly id: string }) {
  const hook = useQuery(hookQuery(id))
  return (
    <QueryView query={hook}>
      {({ delivery, body }) => (
        <>
          <h4>
            Delivery <code>{delivery}</code>
          </h4>
          <CopiedText name="What the provider sent" text={body} />
        </>
      )}
    </QueryView>
  )
}
