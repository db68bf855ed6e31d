import { useQuery } from '@tanstack/react-query'
import { createUserToken, deleteUserToken } from '#contract/v1/tokens.ts'
import { callV1 } from '#web/api/calls.ts'
import { TokenTable } from '#web/parts/token-table.tsx'
import { userTokensQuery } from '#web/read/user-queries.ts'

/** The tokens that do what their owner may. */
export function UserTokenSection() {
  const tokens = useQuery(userTokensQuery)
  return (
    <TokenTable
      name="Personal tokens"
      about={
        <>
          A personal token does whatever you may: for the API, for <code>git push</code> and for the command line. The{' '}
          <a href="/docs/api">pages of the interface</a> say how to send one.
        </>
      }
      tokens={tokens}
      make={(label) => callV1(createUserToken, { body: { label } })}
      revoke={(token) => callV1(deleteUserToken, { params: { token } })}
    />
  )
}
