import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { createOrganization } from '#contract/rh/organizations.ts'
import { organizationPage } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { organizationListQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { sessionQuery } from '#web/read/queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useTitle } from '#web/read/use-title.ts'

/** The organizations of whoever reads it. */
export function OrganizationsPage() {
  useTitle('Organizations')
  const organizations = useInfiniteQuery(organizationListQuery)
  const { data: user } = useQuery(sessionQuery)
  const [name, setName] = useState('')
  const make = useAction(
    () => callRh(createOrganization, { body: { name } }),
    () => setName(''),
  )
  return (
    <>
      <div className="heading">
        <h1>Organizations</h1>
        {user?.admin && (
          <div className="actions">
            <Link className="button" to="/installation/agents">
              This installation
            </Link>
          </div>
        )}
      </div>
      <QueryView query={organizations}>
        {(data) => (
          <DataTable
            caption="Organizations"
            empty="You belong to no organization yet. Make one, or push a project: that makes one too."
            rows={itemsOf(data)}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Name', cell: (one) => <Link to={organizationPage(one.id, 'members')}>{one.name}</Link> },
              { name: 'You are', cell: ({ role }) => role ?? 'an administrator of this installation' },
              { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="More organizations" list={organizations} />
      <h2>New organization</h2>
      <ActionForm
        name="New organization"
        button="Make organization"
        action={make}
        onSubmit={() => make.mutate(undefined)}
      >
        <TextField label="Name" required maxLength={100} value={name} onText={setName} />
      </ActionForm>
    </>
  )
}
