import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { addSshKey, deleteSshKey } from '#contract/v1/ssh-keys.ts'
import { type CheckoutKey, createCheckoutKey, deleteCheckoutKey } from '#contract/v2/checkout-key.ts'
import type { ProjectSshKey } from '#contract/rh/project-page.ts'
import { useState } from 'react'
import { callV1, callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { AreaField, TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { checkoutKeysQuery, oldName, sshKeysQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'

/** The keys of a project: with which it is checked out, and which its builds get for other hosts. */
export function KeySection(props: SectionProps) {
  return (
    <>
      <CheckoutKeys {...props} />
      <SshKeys {...props} />
    </>
  )
}

const keyTypes = {
  'deploy-key': 'Deploy key: reads this repository',
  'user-key': 'User key: does what you may',
} as const

function CheckoutKeys({ slug, access, refused }: SectionProps) {
  const keys = useInfiniteQuery({ ...checkoutKeysQuery(slug), enabled: access.may_inspect })
  const [type, setType] = useState<keyof typeof keyTypes>('deploy-key')
  const make = useAction(() => callV2(createCheckoutKey, { params: { ...slug }, body: { type } }))
  return (
    <section>
      <h3>Checkout keys</h3>
      <p className="soft">The code is fetched with the preferred key. Let its public part read the repository.</p>
      {access.may_inspect && (
        <QueryView query={keys}>
          {(data) => (
            <DataTable
              caption="Checkout keys"
              empty="No checkout key: a repository on this server needs none."
              rows={itemsOf(data)}
              keyOf={(key) => key.fingerprint}
              columns={[
                { name: 'Fingerprint', cell: (key) => <code>{key.fingerprint}</code> },
                { name: 'Kind', cell: (key) => `${key.type}${key.preferred ? ' (preferred)' : ''}` },
                { name: 'Made', cell: (key) => <When at={key.created_at} /> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: (key) => <DeleteCheckoutKey slug={slug} one={key} refused={refused} />,
                },
              ]}
            />
          )}
        </QueryView>
      )}
      <ActionForm
        name="Make a checkout key"
        button="Make key"
        action={make}
        refused={refused}
        onSubmit={() => make.mutate(undefined)}
      >
        <ChoiceField label="Kind" value={type} choices={keyTypes} onChoice={setType} />
      </ActionForm>
      {make.data && (
        <div role="status">
          <p>Made. Let this public key read the repository:</p>
          <CopiedText name="Public key" text={make.data.public_key} />
        </div>
      )}
    </section>
  )
}

type One<T> = Pick<SectionProps, 'slug' | 'refused'> & { readonly one: T }

function DeleteCheckoutKey({ slug, one, refused }: One<CheckoutKey>) {
  const remove = useAction(() => callV2(deleteCheckoutKey, { params: { ...slug, fingerprint: one.fingerprint } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Delete"
        what={`key ${one.fingerprint}`}
        question="Delete this key? What is fetched with it alone can no longer be fetched."
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}

function SshKeys({ slug, access, refused }: SectionProps) {
  const keys = useQuery({ ...sshKeysQuery(slug), enabled: access.may_inspect })
  const [hostname, setHostname] = useState('')
  const [privateKey, setPrivateKey] = useState('')
  const add = useAction(
    () => callV1(addSshKey, { params: oldName(slug), body: { hostname, private_key: privateKey } }),
    () => {
      setHostname('')
      setPrivateKey('')
    },
  )
  return (
    <section>
      <h3>SSH keys for other hosts</h3>
      <p className="soft">
        Jobs get these where their configuration says add_ssh_keys. The private part is kept sealed.
      </p>
      {access.may_inspect && (
        <QueryView query={keys}>
          {({ items }) => (
            <DataTable
              caption="SSH keys"
              empty="No SSH key yet."
              rows={items}
              keyOf={(key) => `${key.hostname} ${key.fingerprint}`}
              columns={[
                { name: 'Host', cell: (key) => (key.hostname === '' ? 'Any host' : key.hostname) },
                { name: 'Fingerprint', cell: (key) => <code>{key.fingerprint}</code> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: (key) => <DeleteSshKey slug={slug} one={key} refused={refused} />,
                },
              ]}
            />
          )}
        </QueryView>
      )}
      <ActionForm
        name="Add an SSH key"
        button="Add key"
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
      </ActionForm>
    </section>
  )
}

function DeleteSshKey({ slug, one, refused }: One<ProjectSshKey>) {
  const { hostname, fingerprint } = one
  const remove = useAction(() => callV1(deleteSshKey, { params: oldName(slug), body: { hostname, fingerprint } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Delete"
        what={`key ${fingerprint}`}
        question="Delete this key? Jobs that start from now on do without it."
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}
