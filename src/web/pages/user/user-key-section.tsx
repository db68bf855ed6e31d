import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addUserSshKey, deleteUserSshKey } from '#contract/rh/ssh-keys.ts'
import { callRh } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { AreaField, TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { userKeysQuery } from '#web/read/user-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'

/** The public keys by which somebody comes into jobs that run with SSH. */
export function UserKeySection() {
  const keys = useQuery(userKeysQuery)
  const [label, setLabel] = useState('')
  const [key, setKey] = useState('')
  const adding = useOpened('key')
  const add = useAction(
    () => callRh(addUserSshKey, { body: { public_key: key.trim(), ...(label !== '' && { label }) } }),
    () => {
      setLabel('')
      setKey('')
      adding.close()
    },
  )
  return (
    <>
      <SectionHead name="SSH keys" about="With one of these keys you come into jobs that were rerun with SSH.">
        <AddButton name="Add a public key" opened={adding} />
      </SectionHead>
      <AddForm
        name="Add a public key"
        button="Add key"
        opened={adding}
        action={add}
        onSubmit={() => add.mutate(undefined)}
      >
        <TextField label="Label" maxLength={200} value={label} onText={setLabel} />
        <AreaField
          label="Public key"
          required
          hint="The line of a .pub file, like ~/.ssh/id_ed25519.pub."
          placeholder="ssh-ed25519 AAAA…"
          value={key}
          onText={setKey}
        />
      </AddForm>
      <QueryView query={keys}>
        {({ items }) => (
          <DataTable
            caption="Your SSH keys"
            empty="No key yet. Add one before you rerun a job with SSH."
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Label', cell: (one) => (one.label === '' ? 'Without a label' : one.label) },
              { name: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
              { name: 'Added', cell: ({ created_at }) => <When at={created_at} /> },
              {
                name: 'Actions',
                unseen: true,
                cell: (one) => (
                  <ConfirmedAction
                    what={one.label === '' ? one.fingerprint : one.label}
                    question="Delete this key? It opens no job any more."
                    act={() => callRh(deleteUserSshKey, { params: { id: one.id } })}
                  />
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
