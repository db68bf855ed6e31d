import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inviteMember, type Member, removeMember, setMember } from '#contract/rh/organizations.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { membersQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useAction } from '#web/read/use-action.ts'
import type { OrganizationProps } from './organization-props.ts'

const roles: Readonly<Record<Member['role'], string>> = {
  owner: 'Owner: decides about people',
  member: 'Member: builds and configures',
  viewer: 'Viewer: looks on',
}

/** Who belongs to an organization, and as what. */
export function MemberSection({ organization, notOwner }: OrganizationProps) {
  const members = useInfiniteQuery(membersQuery(organization.id))
  return (
    <>
      {notOwner !== undefined && <p className="note">{notOwner}</p>}
      <QueryView query={members}>
        {(data) => (
          <DataTable
            caption="Members"
            empty="Nobody belongs to this organization."
            rows={itemsOf(data)}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Login', cell: ({ login }) => login },
              { name: 'Name', cell: ({ name }) => name },
              { name: 'Role', cell: (member) => <Role of={organization.id} member={member} refused={notOwner} /> },
              { name: 'Since', cell: ({ since }) => <When at={since} /> },
              {
                name: 'Actions',
                unseen: true,
                cell: (member) => <Remove of={organization.id} member={member} refused={notOwner} />,
              },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="More members" list={members} />
      <AddMember of={organization.id} refused={notOwner} />
      <Invite of={organization.id} refused={notOwner} />
    </>
  )
}

interface Owned {
  readonly of: string
  readonly refused: string | undefined
}

function Role({ of, member, refused }: Owned & { readonly member: Member }) {
  const change = useAction((role: Member['role']) =>
    callRh(setMember, { params: { organization_id: of, login: member.login }, body: { role } }),
  )
  return (
    <>
      <ChoiceField
        quiet
        label={`Role of ${member.login}`}
        value={member.role}
        choices={roles}
        disabled={refused !== undefined || change.isPending}
        onChoice={(role) => change.mutate(role)}
      />
      <Trouble error={change.error} />
    </>
  )
}

function Remove({ of, member, refused }: Owned & { readonly member: Member }) {
  const remove = useAction(() => callRh(removeMember, { params: { organization_id: of, login: member.login } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Remove"
        what={member.login}
        question={`Take ${member.login} out of this organization?`}
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}

function AddMember({ of, refused }: Owned) {
  const [login, setLogin] = useState('')
  const [role, setRole] = useState<Member['role']>('member')
  const add = useAction(
    () => callRh(setMember, { params: { organization_id: of, login }, body: { role } }),
    () => setLogin(''),
  )
  return (
    <>
      <h3>Let in somebody who has an account here</h3>
      <ActionForm
        name="Let somebody in"
        button="Let in"
        action={add}
        refused={refused}
        onSubmit={() => add.mutate(undefined)}
      >
        <div className="form-row">
          <TextField label="Login" required value={login} onText={setLogin} />
          <ChoiceField label="Role" value={role} choices={roles} onChoice={setRole} />
        </div>
      </ActionForm>
    </>
  )
}

function Invite({ of, refused }: Owned) {
  const [login, setLogin] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Member['role']>('member')
  const invite = useAction(
    () =>
      callRh(inviteMember, {
        params: { organization_id: of },
        body: { login, role, ...(email !== '' && { email }) },
      }),
    () => {
      setLogin('')
      setEmail('')
    },
  )
  return (
    <>
      <h3>Invite somebody new</h3>
      <ActionForm
        name="Invite somebody new"
        button="Invite"
        action={invite}
        refused={refused}
        onSubmit={() => invite.mutate(undefined)}
      >
        <div className="form-row">
          <TextField label="New login" required value={login} onText={setLogin} />
          <TextField label="E-mail address" type="email" value={email} onText={setEmail} />
          <ChoiceField label="Role" value={role} choices={roles} onChoice={setRole} />
        </div>
      </ActionForm>
      {invite.data && (
        <SecretOnce
          name={`Link that signs ${invite.data.member.login} in once, within a day`}
          text={invite.data.sign_in_url}
        />
      )}
    </>
  )
}
