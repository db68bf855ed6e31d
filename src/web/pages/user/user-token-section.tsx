import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createUserToken, deleteUserToken, type UserToken } from '#contract/v1/tokens.ts'
import { callV1 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { userTokensQuery } from '#web/read/user-queries.ts'
import { useAction } from '#web/read/use-action.ts'

/** The tokens that do what their owner may. */
export function UserTokenSection() {
  const tokens = useQuery(userTokensQuery)
  const [label, setLabel] = useState('')
  const make = useAction(
    () => callV1(createUserToken, { body: { label } }),
    () => setLabel(''),
  )
  return (
    <>
      <p className="soft">
        A personal token does whatever you may: for the API, for <code>git push</code> and for the command line. The{' '}
        <a href="/docs/api">pages of the interface</a> say how to send one.
      </p>
      <ActionForm name="Make a token" button="Make token" action={make} onSubmit={() => make.mutate(undefined)}>
        <TextField
          label="Label"
          required
          maxLength={200}
          hint="What it is for, so that you know it again."
          value={label}
          onText={setLabel}
        />
      </ActionForm>
      {make.data && <SecretOnce name="New token" text={make.data.token} />}
      <QueryView query={tokens}>
        {(items) => (
          <DataTable
            caption="Your tokens"
            empty="No token yet."
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Label', cell: (token) => token.label },
              { name: 'Token', cell: ({ token }) => <code>{token}</code> },
              { name: 'Made', cell: ({ time }) => <When at={time} /> },
              { name: 'Actions', unseen: true, cell: (token) => <Revoke token={token} /> },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}

function Revoke({ token }: { readonly token: UserToken }) {
  const revoke = useAction(() => callV1(deleteUserToken, { params: { token: token.id } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Revoke"
        what={token.label}
        question={`Revoke ${token.label}? Whatever uses it is refused from now on.`}
        action={{ ...revoke, mutate: () => revoke.mutate(undefined) }}
      />
    </div>
  )
}
