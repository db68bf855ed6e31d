import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, createSignInLink, createUser, revokeAccess, updateUser } from '#contract/rh/users.ts'
import { callRh } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { usersQuery } from '#web/read/organization-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'

interface Link {
  readonly login: string
  readonly url: string
}

/** The users of the installation. */
export function UserSection({ refused }: { readonly refused: string | undefined }) {
  const users = useInfiniteQuery({ ...usersQuery, enabled: refused === undefined })
  const [login, setLogin] = useState('')
  const [email, setEmail] = useState('')
  const [link, setLink] = useState<Link>()
  const adding = useOpened('user')
  const make = useAction(
    () => callRh(createUser, { body: { login, ...(email !== '' && { email }) } }),
    ({ user, sign_in_url }) => {
      setLink({ login: user.login, url: sign_in_url })
      setLogin('')
      setEmail('')
      adding.close()
    },
  )
  return (
    <>
      <SectionHead
        name="Users"
        about="Everybody who has an account here. What they may do is decided by their organizations."
        refused={refused}
      >
        <AddButton name="New user" opened={adding} refused={refused} />
      </SectionHead>
      <AddForm
        name="New user"
        button="Make user"
        opened={adding}
        action={make}
        refused={refused}
        onSubmit={() => make.mutate(undefined)}
      >
        <div className="form-row">
          <TextField label="Login" required value={login} onText={setLogin} />
          <TextField label="E-mail address" type="email" value={email} onText={setEmail} />
        </div>
      </AddForm>
      {link && <SecretOnce name={`Link that signs ${link.login} in once, within a day`} text={link.url} />}
      {refused === undefined && (
        <PagedTable
          list={users}
          more="More users"
          caption="Users"
          empty="No user."
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Who',
              cell: (user) => (
                <>
                  {user.login} {user.admin && <span className="badge">administrator</span>}
                </>
              ),
            },
            { name: 'Name', cell: ({ name }) => name || '–' },
            { name: 'E-mail', cell: ({ email: address }) => address ?? '–' },
            { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
            { name: 'Actions', unseen: true, cell: (user) => <UserActions user={user} onLink={setLink} /> },
          ]}
        />
      )}
    </>
  )
}

function UserActions({ user, onLink }: { readonly user: Account; readonly onLink: (link: Link) => void }) {
  const params = { id: user.id }
  return (
    <>
      <QuickAction
        name="Sign-in link"
        what={`for ${user.login}`}
        act={async () => {
          const { sign_in_url } = await callRh(createSignInLink, { params })
          onLink({ login: user.login, url: sign_in_url })
        }}
      />
      <ConfirmedAction
        name={user.admin ? 'Make ordinary' : 'Make administrator'}
        what={user.login}
        question={
          user.admin
            ? `Take the whole installation out of the hands of ${user.login}?`
            : `Let ${user.login} see and change everything here?`
        }
        act={() => callRh(updateUser, { params, body: { admin: !user.admin } })}
      />
      <ConfirmedAction
        name="Revoke access"
        what={`of ${user.login}`}
        question={`Take away every token, sign-in and password of ${user.login}?`}
        act={() => callRh(revokeAccess, { params })}
      />
    </>
  )
}
