import type { Account } from '#contract/rh/users.ts'
import * as contract from '#contract/rh/users.ts'
import type { App } from '#server/app/app.ts'
import * as accounts from '#server/app/accounts.ts'
import type { UserRow } from '#server/app/find.ts'
import { asUser } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

const accountView = (user: UserRow): Account => ({
  id: user.id,
  login: user.login,
  name: user.name,
  email: user.email,
  admin: user.admin === 1,
  created_at: user.created_at,
})

/** Users of the installation, for administrators; and what everybody decides about themselves. */
export function serveAccounts({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.listUsers, async ({ query }) => {
    const { items, next } = await accounts.listAccounts(app, query['page-token'])
    return { items: items.map(accountView), next_page_token: next }
  })
  serve(contract.createUser, async ({ body }) => {
    const user = await accounts.createAccount(world, body)
    return { user: accountView(user), ...linkView(await accounts.signInLink(world, user)) }
  })
  serve(contract.updateUser, async ({ params, body }) =>
    accountView(await accounts.changeAccount(app, params.id, body)),
  )
  serve(contract.createSignInLink, async ({ params }) =>
    linkView(await accounts.signInLink(world, await accounts.accountOf(world, params.id))),
  )
  serve(contract.revokeAccess, async ({ params }) => {
    await accounts.revokeAccess(app, params.id)
    return { message: 'ok' }
  })

  serve(contract.setPassword, async ({ caller, body }) => {
    await accounts.setPassword(app, asUser(caller), body.password, body.current)
    return { message: 'ok' }
  })
  serve(contract.listSessions, async ({ caller }) => {
    const user = asUser(caller)
    const items = (await accounts.listSessions(app, user)).map(({ id, created_at, expires_at }) => ({
      id,
      created_at,
      expires_at: expires_at ?? created_at,
      current: id === user.token,
    }))
    return { items }
  })
  serve(contract.endSession, async ({ caller, params }) => {
    await accounts.endSession(app, asUser(caller), params.id)
    return { message: 'ok' }
  })
}

/** A link as it is handed out. */
export const linkView = ({ url, expiresAt }: Awaited<ReturnType<typeof accounts.signInLink>>) => ({
  sign_in_url: url,
  expires_at: expiresAt,
})
