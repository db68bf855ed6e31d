import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { deleteReceiver, type Receiver } from '#contract/rh/receivers.ts'
import { callRh } from '#web/api/calls.ts'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { useAction } from '#web/read/use-action.ts'
import { ReceivedHooks } from './received-hooks.tsx'

interface Props {
  readonly receivers: UseQueryResult<{ readonly items: readonly Receiver[] }>
  readonly about: string
  readonly make: () => Promise<Receiver & { readonly secret: string }>
  readonly refused: string | undefined
}

/** The addresses at which a provider tells of pushes; which of them is looked into is in the address of the page. */
export function Receivers({ receivers, about, make, refused }: Props) {
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const made = useAction(make)
  const chosen = search.get('receiver')
  return (
    <section aria-label="Pushes">
      <SectionHead inner name="Pushes" about={about}>
        <button
          type="button"
          className="strong"
          aria-disabled={refused !== undefined}
          title={refused}
          disabled={made.isPending}
          onClick={() => {
            if (refused === undefined) made.mutate(undefined)
          }}
        >
          New address
        </button>
      </SectionHead>
      <Trouble error={made.error} />
      {made.data && <NewReceiver receiver={made.data} />}
      {refused === undefined && (
        <QueryView query={receivers}>
          {({ items }) => (
            <DataTable
              caption="Addresses that providers know"
              empty="No address yet. Make one and enter it at the provider as a webhook."
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Address', cell: ({ url }) => <code>{url}</code> },
                { name: 'For', cell: ({ project_id }) => (project_id === null ? 'All projects' : 'One project') },
                { name: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: ({ id, url }) => (
                    <>
                      <Link
                        className="button quiet"
                        to={id === chosen ? pathname : `${pathname}?receiver=${id}`}
                        aria-label={`${id === chosen ? 'Hide' : 'Show'} what came to ${url}`}
                        preventScrollReset
                      >
                        {id === chosen ? 'Hide what came' : 'What came'}
                      </Link>
                      <ConfirmedAction
                        what={url}
                        question="Delete this address? What the provider sends there is refused, and what came is forgotten."
                        act={() => callRh(deleteReceiver, { params: { receiver_id: id } })}
                      />
                    </>
                  ),
                },
              ]}
            />
          )}
        </QueryView>
      )}
      {refused === undefined && chosen !== null && <ReceivedHooks key={chosen} receiver={chosen} />}
    </section>
  )
}

/** Where the settings of webhooks are, at those that we know. */
const places = [
  [
    'GitHub, Gitea, Forgejo',
    'Settings, Webhooks, Add webhook; content type application/json; pushes and pull requests',
  ],
  [
    'GitLab',
    'Settings, Webhooks; push, tag push and merge request events; the secret is the signing token, before version 19 the secret token',
  ],
  ['Bitbucket', 'Repository settings, Webhooks; pushes and pull requests'],
] as const

/** An address that was just made, with its secret, and where both are entered. */
export function NewReceiver({ receiver }: { readonly receiver: Receiver & { readonly secret: string } }) {
  return (
    <div className="panel form-panel">
      <p>
        <strong>Enter both at the provider:</strong>
      </p>
      <CopiedText name="Address for the provider" text={receiver.url} />
      <SecretOnce name="Secret for the provider" text={receiver.secret} />
      <dl className="places">
        {places.map(([who, where]) => (
          <div key={who}>
            <dt>{who}</dt>
            <dd className="soft">{where}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
