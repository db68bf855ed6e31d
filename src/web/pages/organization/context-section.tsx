import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Context, createContext, deleteContext } from '#contract/v2/context.ts'
import { organizationPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { contextsQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useAction } from '#web/read/use-action.ts'
import { ContextView } from './context-view.tsx'
import type { OrganizationProps } from './organization-props.ts'

/** The contexts of an organization; which of them is looked at is in the address. */
export function ContextSection(props: OrganizationProps) {
  const [search] = useSearchParams()
  const chosen = search.get('context')
  return chosen === null ? <ContextList {...props} /> : <ContextView {...props} id={chosen} />
}

function ContextList({ organization, notMember }: OrganizationProps) {
  const contexts = useInfiniteQuery(contextsQuery(organization.id))
  const [name, setName] = useState('')
  const make = useAction(
    () => callV2(createContext, { body: { name, owner: { id: organization.id, type: 'organization' } } }),
    () => setName(''),
  )
  const here = organizationPage(organization.id, 'contexts')
  return (
    <>
      <p className="soft">Variables that the projects of this organization share, for jobs that name their context.</p>
      <QueryView query={contexts}>
        {(data) => (
          <DataTable
            caption="Contexts"
            empty="No context yet."
            rows={itemsOf(data)}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Name', cell: (context) => <Link to={`${here}?context=${context.id}`}>{context.name}</Link> },
              { name: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
              { name: 'Actions', unseen: true, cell: (context) => <Remove context={context} refused={notMember} /> },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="More contexts" list={contexts} />
      <ActionForm
        name="New context"
        button="Make context"
        action={make}
        refused={notMember}
        onSubmit={() => make.mutate(undefined)}
      >
        <TextField label="Name of the new context" required maxLength={200} value={name} onText={setName} />
      </ActionForm>
    </>
  )
}

function Remove({ context, refused }: { readonly context: Context; readonly refused: string | undefined }) {
  const remove = useAction(() => callV2(deleteContext, { params: { context_id: context.id } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Delete"
        what={context.name}
        question={`Delete ${context.name} and its variables? Jobs that name it will not run.`}
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}
