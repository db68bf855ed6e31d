import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { createWebhook, deleteWebhook, updateWebhook, type Webhook, webhookEvents } from '#contract/v2/webhook.ts'
import { projectSettingsPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { CheckGroup } from '#web/parts/check-group.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { webhooksQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { Deliveries } from './deliveries.tsx'
import type { SectionProps } from './section-props.ts'

/** The webhooks of a project; which of them is looked at is in the address. */
export function WebhookSection({ slug, access, refused }: SectionProps) {
  const hooks = useInfiniteQuery({ ...webhooksQuery(access.project_id), enabled: access.may_inspect })
  const [search] = useSearchParams()
  const here = projectSettingsPage(slug, 'webhooks')
  if (!access.may_inspect) return <p className="note">{refused}</p>
  return (
    <QueryView query={hooks}>
      {(data) => {
        const items = itemsOf(data)
        const one = items.find(({ id }) => id === search.get('webhook'))
        if (one)
          return (
            <>
              <p>
                <Link to={here}>All webhooks</Link>
              </p>
              <h3>{one.name}</h3>
              <HookForm key={one.id} project={access.project_id} hook={one} refused={refused} />
              <Deliveries hook={one.id} refused={refused} />
            </>
          )
        return (
          <>
            <p className="soft">Addresses that are told when workflows or jobs end, signed with a secret of theirs.</p>
            <DataTable
              caption="Webhooks"
              empty="No webhook yet."
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Name', cell: ({ id, name }) => <Link to={`${here}?webhook=${id}`}>{name}</Link> },
                { name: 'Address', cell: ({ url }) => <code>{url}</code> },
                { name: 'Events', cell: ({ events }) => events.join(', ') },
                { name: 'Actions', unseen: true, cell: (hook) => <DeleteHook hook={hook} refused={refused} /> },
              ]}
            />
            <MoreButton name="More webhooks" list={hooks} />
            <h3>New webhook</h3>
            <HookForm project={access.project_id} refused={refused} />
          </>
        )
      }}
    </QueryView>
  )
}

interface FormProps {
  readonly project: string
  readonly hook?: Webhook
  readonly refused: string | undefined
}

function HookForm({ project, hook, refused }: FormProps) {
  const [name, setName] = useState(hook?.name ?? '')
  const [url, setUrl] = useState(hook?.url ?? '')
  const [secret, setSecret] = useState('')
  const [events, setEvents] = useState<readonly (typeof webhookEvents)[number][]>(hook?.events ?? webhookEvents)
  const [verify, setVerify] = useState(hook?.verify_tls ?? true)
  const form = { name, url, events: [...events], 'verify-tls': verify }
  const save = useAction(
    () =>
      hook
        ? callV2(updateWebhook, {
            params: { webhook_id: hook.id },
            body: { ...form, ...(secret !== '' && { 'signing-secret': secret }) },
          })
        : callV2(createWebhook, {
            body: { ...form, 'signing-secret': secret, scope: { id: project, type: 'project' } },
          }),
    () => {
      setSecret('')
      if (hook) return
      setName('')
      setUrl('')
    },
  )
  return (
    <ActionForm
      name={hook ? `Change ${hook.name}` : 'New webhook'}
      button={hook ? 'Keep changes' : 'Add webhook'}
      action={save}
      refused={refused}
      onSubmit={() => save.mutate(undefined)}
    >
      <div className="form-row">
        <TextField label="Name" required value={name} onText={setName} />
        <TextField label="Address" required type="url" placeholder="https://" value={url} onText={setUrl} />
      </div>
      <TextField
        label="Signing secret"
        type="password"
        hint={hook ? 'Empty: the one it has stays.' : 'The receiver checks with it that a delivery came from here.'}
        value={secret}
        onText={setSecret}
      />
      <CheckGroup label="Events" choices={webhookEvents} chosen={events} onChange={setEvents} />
      <label className="check">
        <input type="checkbox" checked={verify} onChange={(event) => setVerify(event.target.checked)} />
        Check the certificate of the receiver
      </label>
    </ActionForm>
  )
}

function DeleteHook({ hook, refused }: { readonly hook: Webhook; readonly refused: string | undefined }) {
  const remove = useAction(() => callV2(deleteWebhook, { params: { webhook_id: hook.id } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Delete"
        what={hook.name}
        question={`Delete ${hook.name}? It is told nothing more, and its deliveries are forgotten.`}
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}
