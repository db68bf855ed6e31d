import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createCheckoutKey, deleteCheckoutKey } from '#contract/v2/checkout-key.ts'
import { callV2 } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { CopiedText } from '#web/parts/copied-text.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { When } from '#web/parts/when.tsx'
import { checkoutKeysQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { KeyRegistrations } from './key-registrations.tsx'
import type { SectionProps } from './section-props.ts'

const keyTypes = {
  'deploy-key': 'Deploy key: reads this repository',
  'user-key': 'User key: does what you may',
} as const

/** The keys with which a project is checked out. */
export function CheckoutKeys({ slug, access, refused }: SectionProps) {
  const keys = useInfiniteQuery({ ...checkoutKeysQuery(slug), enabled: access.may_inspect })
  const [type, setType] = useState<keyof typeof keyTypes>('deploy-key')
  const making = useOpened('checkout-key')
  const make = useAction(
    () => callV2(createCheckoutKey, { params: { ...slug }, body: { type } }),
    () => making.close(),
  )
  return (
    <>
      <SectionHead
        name="Checkout keys"
        about="The code is fetched with the preferred key. Let its public part read the repository at its provider."
        refused={refused}
      >
        <AddButton name="New checkout key" opened={making} refused={refused} />
      </SectionHead>
      <AddForm
        name="New checkout key"
        button="Make key"
        opened={making}
        action={make}
        refused={refused}
        onSubmit={() => make.mutate(undefined)}
      >
        <ChoiceField label="Kind" value={type} choices={keyTypes} onChoice={setType} />
      </AddForm>
      {make.data && (
        <div role="status">
          <p>Made. Let this public key read the repository:</p>
          <CopiedText name="Public key" text={make.data.public_key} />
        </div>
      )}
      {access.may_inspect && (
        <PagedTable
          list={keys}
          more="More keys"
          caption="Checkout keys"
          empty="No checkout key: a repository on this server needs none."
          keyOf={({ fingerprint }) => fingerprint}
          columns={[
            { name: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
            { name: 'Kind', cell: (key) => `${key.type}${key.preferred ? ' (preferred)' : ''}` },
            { name: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
            {
              name: 'Actions',
              unseen: true,
              cell: ({ fingerprint }) => (
                <ConfirmedAction
                  what={`key ${fingerprint}`}
                  question="Delete this key? What is fetched with it alone can no longer be fetched."
                  act={() => callV2(deleteCheckoutKey, { params: { ...slug, fingerprint } })}
                  refused={refused}
                />
              ),
            },
          ]}
        />
      )}
      <KeyRegistrations slug={slug} access={access} refused={refused} />
    </>
  )
}
