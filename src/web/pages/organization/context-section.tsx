import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { createContext, deleteContext } from '#contract/v2/context.ts'
import { organizationPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { contextsQuery } from '#web/read/organization-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
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
  const adding = useOpened('context')
  const make = useAction(
    () => callV2(createContext, { body: { name, owner: { id: organization.id, type: 'organization' } } }),
    () => {
      setName('')
      adding.close()
    },
  )
  const here = organizationPage(organization.id, 'contexts')
  return (
    <>
      <SectionHead
        name="Contexts"
        about="Variables that the projects of this organization share, for jobs that name their context."
        refused={notMember}
      >
        <AddButton name="New context" opened={adding} refused={notMember} />
      </SectionHead>
      <AddForm
        name="New context"
        button="Make context"
        opened={adding}
        action={make}
        refused={notMember}
        onSubmit={() => make.mutate(undefined)}
      >
        <TextField
          label="Name"
          hint="What a workflow calls it, like deploy."
          required
          maxLength={200}
          value={name}
          onText={setName}
        />
      </AddForm>
      <PagedTable
        list={contexts}
        more="More contexts"
        caption="Contexts"
        empty="No context yet. Make one for secrets that several projects need, and limit who may use it."
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', cell: (context) => <Link to={`${here}?context=${context.id}`}>{context.name}</Link> },
          { name: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
          {
            name: 'Actions',
            unseen: true,
            cell: (context) => (
              <ConfirmedAction
                what={context.name}
                question={`Delete ${context.name} and its variables? Jobs that name it will not run.`}
                act={() => callV2(deleteContext, { params: { context_id: context.id } })}
                refused={notMember}
              />
            ),
          },
        ]}
      />
    </>
  )
}
