import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signOut } from '#contract/rh/session.ts'
import { endSession, type OpenSession, setPassword } from '#contract/rh/users.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { sessionsQuery } from '#web/read/user-queries.ts'
import { useAction } from '#web/read/use-action.ts'

/** How somebody comes in, and where they are in. */
export function AccessSection() {
  const sessions = useQuery(sessionsQuery)
  return (
    <>
      <SectionHead
        name="Password"
        about="With a password you come in from anywhere; without one, by a sign-in link or at a provider."
      />
      <PasswordChange />
      <SectionHead name="Signed in" about="End what you do not know, and change the password." />
      <QueryView query={sessions}>
        {({ items }) => (
          <DataTable
            caption="Browsers that are signed in as you"
            empty="No browser is signed in as you."
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
              { name: 'Until', cell: ({ expires_at }) => <When at={expires_at} /> },
              { name: 'Which', cell: ({ current }) => (current ? 'This browser' : 'Another browser') },
              { name: 'Actions', unseen: true, cell: (session) => <End session={session} /> },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}

function PasswordChange() {
  const [current, setCurrent] = useState('')
  const [password, setNew] = useState('')
  const save = useAction(
    () => callRh(setPassword, { body: { password, ...(current !== '' && { current }) } }),
    () => {
      setCurrent('')
      setNew('')
    },
  )
  return (
    <ActionForm
      name="Change the password"
      button="Set password"
      action={save}
      done="The password is set."
      onSubmit={() => save.mutate(undefined)}
    >
      <div className="form-row">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          hint="Empty, if you have none yet."
          value={current}
          onText={setCurrent}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint="At least ten characters."
          value={password}
          onText={setNew}
        />
      </div>
    </ActionForm>
  )
}

function End({ session }: { readonly session: OpenSession }) {
  const end = async () => {
    if (!session.current) return callRh(endSession, { params: { id: session.id } })
    await callRh(signOut, {})
    // The whole page is loaded anew: nothing that was seen stays in memory.
    return window.location.assign('/sign-in')
  }
  return <QuickAction name={session.current ? 'Sign out here' : 'Sign that browser out'} act={end} />
}
