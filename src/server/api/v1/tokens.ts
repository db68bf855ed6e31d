import * as contract from '#contract/v1/tokens.ts'
import type { App } from '#server/app/app.ts'
import type { Caller } from '#server/app/callers.ts'
import { listTokens, makeToken, revokeToken, type ShownToken, type TokenOwner } from '#server/app/own-tokens.ts'
import { asUser, projectFor, type Right } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'

const userToken = ({ id, token, label, createdAt }: ShownToken): contract.UserToken => ({
  id,
  token,
  label,
  time: createdAt,
})
const projectToken = (shown: ShownToken): contract.ProjectToken => ({
  ...userToken(shown),
  scope: shown.scope as contract.ProjectToken['scope'],
})

/** Tokens of users and of projects. */
export function serveTokens({ serve }: Serving, app: App): void {
  const mine = (caller: Caller): TokenOwner => ({ kind: 'user', id: asUser(caller).id })
  const ofProject = async (
    caller: Caller,
    right: Right,
    params: Parameters<typeof projectName>[0],
  ): Promise<TokenOwner> => ({
    kind: 'project',
    id: (await projectFor(app.world, caller, right, projectName(params))).id,
  })

  serve(contract.listUserTokens, async ({ caller }) => (await listTokens(app, mine(caller))).map(userToken))
  serve(contract.createUserToken, async ({ caller, body }) => userToken(await makeToken(app, mine(caller), body.label)))
  serve(contract.deleteUserToken, async ({ caller, params }) => {
    await revokeToken(app, mine(caller), params.token)
    return { message: 'ok' }
  })

  serve(contract.listProjectTokens, async ({ caller, params }) =>
    (await listTokens(app, await ofProject(caller, 'inspect', params))).map(projectToken),
  )
  serve(contract.createProjectToken, async ({ caller, params, body }) =>
    projectToken(await makeToken(app, await ofProject(caller, 'configure', params), body.label, body.scope)),
  )
  serve(contract.deleteProjectToken, async ({ caller, params }) => {
    await revokeToken(app, await ofProject(caller, 'configure', params), params.token)
    return { message: 'ok' }
  })
}
