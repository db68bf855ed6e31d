import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, createSignInLink, createUser, revokeAccess } from '#contract/rh/users.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { When } from '#web/parts/when.tsx'
import { usersQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useAction } from '#web/read/use-action.ts'

/** The users of the installation. */
export function UserSection({ refused }: { readonly refused: string | undefined }) {
  const users = useInfiniteQuery({ ...usersQuery, enabled: refused === undefined })
  const [login, setLogin] = useState('')
  const make = useAction(
    () => callRh(createUser, { body: { login } }),
    () => setLogin(''),
  )
  if (refused !== undefined) return <p className="note">{refused}</p>
  return (
    <>
      <QueryView query={users}>
        {(data) => (
          <DataTable
            caption="Users"
            empty="No user."
            rows={itemsOf(data)}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Login', cell: (user) => user.login },
              { name: 'Name', cell: ({ name }) => name },
              { name: 'E-mail', cell: ({ email }) => email ?? '–' },
              { name: 'Administrator', cell: ({ admin }) => (admin ? 'yes' : 'no') },
              { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
              { name: 'Actions', unseen: true, cell: (user) => <UserActions user={user} /> },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="More users" list={users} />
      <h3>New user</h3>
      <ActionForm name="New user" button="Make user" action={make} onSubmit={() => make.mutate(undefined)}>
        <TextField label="Login" required value={login} onText={setLogin} />
      </ActionForm>
      {make.data && (
        <SecretOnce
          name={`Link that signs ${make.data.user.login} in once, within a day`}
          text={make.data.sign_in_url}
        />
      )}
    </>
  )
}

function UserActions({ user }: { readonly user: Account }) {
  const link = useAction(() => callRh(createSignInLink, { params: { id: user.id } }))
  const revoke = useAction(() => callRh(revokeAccess, { params: { id: user.id } }))
  return (
    <div className="row-actions">
      <button
        type="button"
        className="quiet"
        aria-label={`Make a sign-in link for ${user.login}`}
        disabled={link.isPending}
        onClick={() => link.mutate(undefined)}
      >
        Sign-in link
      </button>
      <ConfirmButton
        name="Revoke access"
        what={`of ${user.login}`}
        question={`Take away every token, sign-in and password of ${user.login}?`}
        action={{ ...revoke, mutate: () => revoke.mutate(undefined) }}
      />
      <Trouble error={link.error} />
      {link.data && <SecretOnce name={`Link for ${user.login}`} text={link.data.sign_in_url} />}
    </div>
  )
}
