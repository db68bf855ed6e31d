import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { deleteWebhook, type Webhook } from '#contract/v2/webhook.ts'
import { projectSettingsPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { AddButton } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { webhooksQuery } from '#web/read/settings-queries.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { Deliveries } from './deliveries.tsx'
import { LastDelivery } from './last-delivery.tsx'
import type { SectionProps } from './section-props.ts'
import { ChangedWebhook, NewWebhook } from './webhook-form.tsx'

/** The webhooks of a project; which of them is looked at is in the address. */
export function WebhookSection({ slug, access, refused }: SectionProps) {
  const hooks = useInfiniteQuery({ ...webhooksQuery(access.project_id), enabled: access.may_inspect })
  const [search] = useSearchParams()
  const adding = useOpened('webhook')
  const here = projectSettingsPage(slug, 'webhooks')
  const chosen = search.get('webhook')
  if (chosen !== null)
    return (
      <>
        <p className="back">
          <Link to={here}>All webhooks</Link>
        </p>
        {access.may_inspect ? (
          <QueryView query={hooks}>
            {(data) => <OneHook hook={itemsOf(data).find(({ id }) => id === chosen)} refused={refused} />}
          </QueryView>
        ) : (
          <SectionHead name="Webhook" refused={refused} />
        )}
      </>
    )
  return (
    <>
      <SectionHead
        name="Webhooks"
        about="Addresses that are told when workflows or jobs end, signed with a secret of theirs."
        refused={refused}
      >
        <AddButton name="New webhook" opened={adding} refused={refused} />
      </SectionHead>
      <NewWebhook project={access.project_id} opened={adding} refused={refused} />
      {access.may_inspect && (
        <PagedTable
          list={hooks}
          more="More webhooks"
          caption="Webhooks"
          empty="No webhook yet. Add one to let another program know how workflows and jobs end."
          keyOf={({ id }) => id}
          columns={[
            { name: 'Name', cell: ({ id, name }) => <Link to={`${here}?webhook=${id}`}>{name}</Link> },
            { name: 'Address', cell: ({ url }) => <code>{url}</code> },
            { name: 'Events', cell: ({ events }) => events.join(', ') },
            { name: 'Last delivery', cell: ({ id }) => <LastDelivery hook={id} /> },
            {
              name: 'Actions',
              unseen: true,
              cell: ({ id, name }) => (
                <ConfirmedAction
                  what={name}
                  question={`Delete ${name}? It is told nothing more, and its deliveries are forgotten.`}
                  act={() => callV2(deleteWebhook, { params: { webhook_id: id } })}
                  refused={refused}
                />
              ),
            },
          ]}
        />
      )}
    </>
  )
}

function OneHook({ hook, refused }: { readonly hook: Webhook | undefined; readonly refused: string | undefined }) {
  if (!hook) return <p className="empty">There is no such webhook any more.</p>
  return (
    <>
      <SectionHead name={hook.name} about={<code>{hook.url}</code>} refused={refused} />
      <Deliveries hook={hook.id} refused={refused} />
      <ChangedWebhook key={hook.id} hook={hook} refused={refused} />
    </>
  )
}
