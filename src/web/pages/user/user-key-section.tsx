import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addUserSshKey, deleteUserSshKey, type UserSshKey } from '#contract/rh/ssh-keys.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { AreaField, TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { userKeysQuery } from '#web/read/user-queries.ts'
import { useAction } from '#web/read/use-action.ts'

/** The public keys by which somebody comes into jobs that run with SSH. */
export function UserKeySection() {
  const keys = useQuery(userKeysQuery)
  const [label, setLabel] = useState('')
  const [key, setKey] = useState('')
  const add = useAction(
    () => callRh(addUserSshKey, { body: { public_key: key.trim(), ...(label !== '' && { label }) } }),
    () => {
      setLabel('')
      setKey('')
    },
  )
  return (
    <>
      <p className="soft">With one of these keys you come into jobs that were rerun with SSH.</p>
      <ActionForm name="Add a public key" button="Add key" action={add} onSubmit={() => add.mutate(undefined)}>
        <TextField label="Label" maxLength={200} value={label} onText={setLabel} />
        <AreaField
          label="Public key"
          required
          hint="The line of a .pub file, like ~/.ssh/id_ed25519.pub."
          placeholder="ssh-ed25519 AAAA…"
          value={key}
          onText={setKey}
        />
      </ActionForm>
      <QueryView query={keys}>
        {({ items }) => (
          <DataTable
            caption="Your SSH keys"
            empty="No key yet."
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Label', cell: (one) => (one.label === '' ? 'Without a label' : one.label) },
              { name: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
              { name: 'Added', cell: ({ created_at }) => <When at={created_at} /> },
              { name: 'Actions', unseen: true, cell: (one) => <DeleteKey one={one} /> },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}

function DeleteKey({ one }: { readonly one: UserSshKey }) {
  const remove = useAction(() => callRh(deleteUserSshKey, { params: { id: one.id } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Delete"
        what={one.label === '' ? one.fingerprint : one.label}
        question="Delete this key? It opens no job any more."
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
      />
    </div>
  )
}
