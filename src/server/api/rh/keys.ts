import * as polling from '#contract/rh/polling.ts'
import * as contract from '#contract/rh/ssh-keys.ts'
import type { App } from '#server/app/app.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { pollingOf, setPolling } from '#server/app/polls.ts'
import { addUserSshKey, listUserSshKeys, removeUserSshKey, type UserSshKeyRow } from '#server/app/user-ssh-keys.ts'
import type { Serving } from '#server/api/serve.ts'

const view = (key: UserSshKeyRow): contract.UserSshKey => ({
  id: key.id,
  label: key.label,
  public_key: key.public_key,
  fingerprint: key.fingerprint,
  created_at: key.created_at,
})

/** The public keys by which people come into jobs. */
export function serveUserSshKeys({ serve }: Serving, { world }: App): void {
  serve(contract.listUserSshKeys, async ({ caller }) => ({
    items: (await listUserSshKeys(world, asUser(caller))).map(view),
  }))
  serve(contract.addUserSshKey, async ({ caller, body }) =>
    view(await addUserSshKey(world, asUser(caller), body.public_key, body.label)),
  )
  serve(contract.deleteUserSshKey, async ({ caller, params }) => {
    await removeUserSshKey(world, asUser(caller), params.id)
    return { message: 'ok' }
  })
}

/** How often repositories that live elsewhere are looked at. */
export function servePolling({ serve }: Serving, { world }: App): void {
  serve(polling.getPolling, async ({ caller, params }) =>
    pollingView(await pollingOf(world, await projectFor(world, caller, 'inspect', params))),
  )
  serve(polling.setPolling, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', params)
    return pollingView(await setPolling(world, project, body.every_seconds))
  })
}

const pollingView = (poll: Awaited<ReturnType<typeof pollingOf>>) => ({
  every_seconds: poll?.every_seconds ?? 0,
  next_at: poll?.next_at ?? null,
})
