import { useInfiniteQuery } from '@tanstack/react-query'
import { type Member, removeMember, setMember } from '#contract/rh/organizations.ts'
import { callRh } from '#web/api/calls.ts'
import { AddButton } from '#web/parts/add-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { membersQuery } from '#web/read/organization-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { AddMember } from './add-member.tsx'
import type { OrganizationProps } from './organization-props.ts'
import { roles } from './roles.ts'

/** Who belongs to an organization, and as what. */
export function MemberSection({ organization, notOwner }: OrganizationProps) {
  const members = useInfiniteQuery(membersQuery(organization.id))
  const adding = useOpened('member')
  return (
    <>
      <SectionHead
        name="Members"
        about="Owners decide about people, members build and configure, viewers look on."
        refused={notOwner}
      >
        <AddButton name="Add somebody" opened={adding} refused={notOwner} />
      </SectionHead>
      <AddMember organization={organization.id} opened={adding} refused={notOwner} />
      <PagedTable
        list={members}
        more="More members"
        caption="Members"
        empty="Nobody belongs to this organization. Add somebody who does."
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Who',
            cell: ({ login, name }) => (
              <>
                {login} {name !== '' && name !== login && <span className="soft">{name}</span>}
              </>
            ),
          },
          { name: 'Role', cell: (member) => <Role of={organization.id} member={member} refused={notOwner} /> },
          { name: 'Since', cell: ({ since }) => <When at={since} /> },
          {
            name: 'Actions',
            unseen: true,
            cell: ({ login }) => (
              <ConfirmedAction
                name="Remove"
                what={login}
                question={`Take ${login} out of this organization?`}
                act={() => callRh(removeMember, { params: { organization_id: organization.id, login } })}
                refused={notOwner}
              />
            ),
          },
        ]}
      />
    </>
  )
}

interface RoleProps {
  readonly of: string
  readonly member: Member
  readonly refused: string | undefined
}

function Role({ of, member, refused }: RoleProps) {
  const change = useAction((role: Member['role']) =>
    callRh(setMember, { params: { organization_id: of, login: member.login }, body: { role } }),
  )
  return (
    <>
      <ChoiceField
        quiet
        label={`Role of ${member.login}`}
        value={change.isPending ? change.variables : member.role}
        choices={roles}
        disabled={refused !== undefined || change.isPending}
        onChoice={(role) => change.mutate(role)}
      />
      <Trouble error={change.error} />
    </>
  )
}
