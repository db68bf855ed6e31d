import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addSshKey, deleteSshKey } from '#contract/v1/ssh-keys.ts'
import { callV1 } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { AreaField, TextField } from '#web/parts/text-field.tsx'
import { oldName, sshKeysQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import type { SectionProps } from './section-props.ts'

/** The keys for other hosts that the builds of a project get. */
export function HostKeys({ slug, access, refused }: SectionProps) {
  const keys = useQuery({ ...sshKeysQuery(slug), enabled: access.may_inspect })
  const [hostname, setHostname] = useState('')
  const [privateKey, setPrivateKey] = useState('')
  const adding = useOpened('ssh-key')
  const add = useAction(
    () => callV1(addSshKey, { params: oldName(slug), body: { hostname, private_key: privateKey } }),
    () => {
      setHostname('')
      setPrivateKey('')
      adding.close()
    },
  )
  return (
    <>
      <SectionHead
        name="SSH keys for other hosts"
        about={
          <>
            Jobs get these where their configuration says <code>add_ssh_keys</code>. The private part is kept sealed.
          </>
        }
      >
        <AddButton name="Add an SSH key" opened={adding} refused={refused} />
      </SectionHead>
      <AddForm
        name="Add an SSH key"
        button="Add key"
        opened={adding}
        action={add}
        refused={refused}
        onSubmit={() => add.mutate(undefined)}
      >
        <TextField label="Host name" hint="Empty: for any host." value={hostname} onText={setHostname} />
        <AreaField
          label="Private key"
          required
          hint="As ssh-keygen writes it, without a passphrase."
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          value={privateKey}
          onText={setPrivateKey}
        />
      </AddForm>
      {access.may_inspect && (
        <QueryView query={keys}>
          {({ items }) => (
            <DataTable
              caption="SSH keys"
              empty="No SSH key yet. Add one where jobs must reach another host: to deploy, or to fetch a private repository."
              rows={items}
              keyOf={(key) => `${key.hostname} ${key.fingerprint}`}
              columns={[
                { name: 'Host', cell: (key) => (key.hostname === '' ? 'Any host' : key.hostname) },
                { name: 'Fingerprint', cell: (key) => <code>{key.fingerprint}</code> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: (key) => (
                    <ConfirmedAction
                      what={`key ${key.fingerprint}`}
                      question="Delete this key? Jobs that start from now on do without it."
                      act={() =>
                        callV1(deleteSshKey, {
                          params: oldName(slug),
                          body: { hostname: key.hostname, fingerprint: key.fingerprint },
                        })
                      }
                      refused={refused}
                    />
                  ),
                },
              ]}
            />
          )}
        </QueryView>
      )}
    </>
  )
}
