import { useState } from 'react'
import { inviteMember, type Member, setMember } from '#contract/rh/organizations.ts'
import { callRh } from '#web/api/calls.ts'
import { AddForm } from '#web/parts/add-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { useAction } from '#web/read/use-action.ts'
import type { Opened } from '#web/read/use-opened.ts'
import { roles } from './roles.ts'

const accounts = {
  here: 'They have an account here',
  new: 'They are new here: make an account and a sign-in link',
} as const

const empty = { login: '', email: '' }

interface Props {
  readonly organization: string
  readonly opened: Opened
  readonly refused: string | undefined
}

/** Lets somebody into an organization, who has an account here or gets one. */
export function AddMember({ organization, opened, refused }: Props) {
  const [account, setAccount] = useState<keyof typeof accounts>('here')
  const [role, setRole] = useState<Member['role']>('member')
  const [{ login, email }, setDraft] = useState(empty)
  const done = () => {
    setDraft(empty)
    opened.close()
  }
  const letIn = useAction(
    () => callRh(setMember, { params: { organization_id: organization, login }, body: { role } }),
    done,
  )
  const invite = useAction(
    () =>
      callRh(inviteMember, {
        params: { organization_id: organization },
        body: { login, role, ...(email !== '' && { email }) },
      }),
    done,
  )
  const action = account === 'here' ? letIn : invite
  return (
    <>
      <AddForm
        name="Add somebody"
        button={account === 'here' ? 'Let in' : 'Invite'}
        opened={opened}
        action={action}
        refused={refused}
        onSubmit={() => action.mutate(undefined)}
      >
        <ChoiceField label="Who" value={account} choices={accounts} onChoice={setAccount} />
        <div className="form-row">
          <TextField
            label="Login"
            required
            value={login}
            onText={(text) => setDraft((before) => ({ ...before, login: text }))}
          />
          {account === 'new' && (
            <TextField
              label="E-mail address"
              type="email"
              hint="Where they are told of what broke. May be left out."
              value={email}
              onText={(text) => setDraft((before) => ({ ...before, email: text }))}
            />
          )}
          <ChoiceField label="Role" value={role} choices={roles} onChoice={setRole} />
        </div>
      </AddForm>
      {invite.data && (
        <SecretOnce
          name={`Link that signs ${invite.data.member.login} in once, within a day`}
          text={invite.data.sign_in_url}
        />
      )}
    </>
  )
}
