import * as contract from '#contract/rh/key-registrations.ts'
import type { App } from '#server/app/app.ts'
import { type KeyRegistration, registrationsOf, retryRegistration } from '#server/app/key-registrations.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

const states: Readonly<Record<string, contract.KeyRegistration['state']>> = { done: 'registered', dead: 'failed' }

const view = ({ row, sha256 }: KeyRegistration): contract.KeyRegistration => ({
  fingerprint: row.fingerprint,
  sha256,
  type: row.kind === 'user' ? 'user-key' : 'deploy-key',
  wanted: row.wanted === 1,
  state: states[row.state] ?? 'pending',
  attempts: row.attempts,
  error: row.error,
  next_at: row.state === 'pending' ? row.next_at : null,
  updated_at: row.updated_at,
})

/** How the keys of projects stand at their providers. */
export function serveKeyRegistrations({ serve }: Serving, { world }: App): void {
  serve(contract.listKeyRegistrations, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', params)
    return { items: (await registrationsOf(world, project)).map(view) }
  })
  serve(contract.retryKeyRegistration, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', params)
    await retryRegistration(world, project, asUser(caller).id, params.fingerprint)
    return { message: 'Accepted.' }
  })
}
