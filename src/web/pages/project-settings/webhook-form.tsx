import { useState } from 'react'
import { createWebhook, updateWebhook, type Webhook, webhookEvents } from '#contract/v2/webhook.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { AddForm } from '#web/parts/add-form.tsx'
import { CheckGroup } from '#web/parts/check-group.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { useAction } from '#web/read/use-action.ts'
import type { Opened } from '#web/read/use-opened.ts'

interface Draft {
  readonly name: string
  readonly url: string
  readonly secret: string
  readonly events: readonly (typeof webhookEvents)[number][]
  readonly verify: boolean
}

const empty: Draft = { name: '', url: '', secret: '', events: webhookEvents, verify: true }

const toBody = ({ name, url, events, verify }: Draft) => ({ name, url, events: [...events], 'verify-tls': verify })

interface NewProps {
  readonly project: string
  readonly opened: Opened
  readonly refused: string | undefined
}

/** Adds a webhook to a project. */
export function NewWebhook({ project, opened, refused }: NewProps) {
  const [draft, setDraft] = useState(empty)
  const add = useAction(
    () =>
      callV2(createWebhook, {
        body: { ...toBody(draft), 'signing-secret': draft.secret, scope: { id: project, type: 'project' } },
      }),
    () => {
      setDraft(empty)
      opened.close()
    },
  )
  return (
    <AddForm
      name="New webhook"
      button="Add webhook"
      opened={opened}
      action={add}
      refused={refused}
      onSubmit={() => add.mutate(undefined)}
    >
      <Fields
        draft={draft}
        onDraft={setDraft}
        secretHint="The receiver checks with it that a delivery came from here."
      />
    </AddForm>
  )
}

/** Changes a webhook. */
export function ChangedWebhook({ hook, refused }: { readonly hook: Webhook; readonly refused: string | undefined }) {
  const { name, url, events, verify_tls: verify } = hook
  const [draft, setDraft] = useState<Draft>({ name, url, events, verify, secret: '' })
  const save = useAction(
    () =>
      callV2(updateWebhook, {
        params: { webhook_id: hook.id },
        body: { ...toBody(draft), ...(draft.secret !== '' && { 'signing-secret': draft.secret }) },
      }),
    () => setDraft((before) => ({ ...before, secret: '' })),
  )
  return (
    <>
      <h3>Change it</h3>
      <ActionForm
        name={`Change ${name}`}
        button="Keep changes"
        action={save}
        done="Kept."
        refused={refused}
        onSubmit={() => save.mutate(undefined)}
      >
        <Fields draft={draft} onDraft={setDraft} secretHint="Empty: the one it has stays." />
      </ActionForm>
    </>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly secretHint: string
}

function Fields({ draft, onDraft, secretHint }: FieldsProps) {
  const change = (to: Partial<Draft>) => onDraft({ ...draft, ...to })
  return (
    <>
      <div className="form-row">
        <TextField label="Name" required value={draft.name} onText={(name) => change({ name })} />
        <TextField
          label="Address"
          required
          type="url"
          placeholder="https://"
          value={draft.url}
          onText={(url) => change({ url })}
        />
      </div>
      <TextField
        label="Signing secret"
        type="password"
        hint={secretHint}
        value={draft.secret}
        onText={(secret) => change({ secret })}
      />
      <CheckGroup
        label="Events"
        choices={webhookEvents}
        chosen={draft.events}
        onChange={(events) => change({ events })}
      />
      <label className="check">
        <input type="checkbox" checked={draft.verify} onChange={(event) => change({ verify: event.target.checked })} />
        Check the certificate of the receiver
      </label>
    </>
  )
}
