import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { createOrganization } from '#contract/rh/organizations.ts'
import { organizationPage } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { organizationListQuery } from '#web/read/organization-queries.ts'
import { sessionQuery } from '#web/read/queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { useTitle } from '#web/read/use-title.ts'
import { roles } from './roles.ts'

/** The organizations of whoever reads it. */
export function OrganizationsPage() {
  useTitle('Organizations')
  const organizations = useInfiniteQuery(organizationListQuery)
  const { data: user } = useQuery(sessionQuery)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const adding = useOpened('organization')
  const make = useAction(
    () => callRh(createOrganization, { body: { name } }),
    ({ id }) => void navigate(organizationPage(id, 'members')),
  )
  return (
    <>
      <div className="heading">
        <h1>Organizations</h1>
        <div className="actions">
          {user?.admin && (
            <Link className="button" to="/installation/agents">
              This installation
            </Link>
          )}
          <AddButton name="New organization" opened={adding} />
        </div>
      </div>
      <p className="soft">Projects belong to an organization, and so do the people who may build and configure them.</p>
      <AddForm
        name="New organization"
        button="Make organization"
        opened={adding}
        action={make}
        onSubmit={() => make.mutate(undefined)}
      >
        <TextField label="Name" required maxLength={100} value={name} onText={setName} />
      </AddForm>
      <PagedTable
        list={organizations}
        more="More organizations"
        caption="Organizations"
        empty="You belong to no organization yet. Make one, or push a project: that makes one too."
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', cell: (one) => <Link to={organizationPage(one.id, 'members')}>{one.name}</Link> },
          {
            name: 'You are',
            cell: ({ role }) => (role === null ? 'Administrator of this installation' : roles[role]),
          },
          { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
        ]}
      />
    </>
  )
}
