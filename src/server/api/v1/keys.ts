import * as checkoutKeys from '#contract/v1/checkout-keys.ts'
import * as sshKeys from '#contract/v1/ssh-keys.ts'
import { setHostingKey as hostingKey } from '#contract/v1/user.ts'
import { keyType } from '#core/names.ts'
import type { App } from '#server/app/app.ts'
import {
  type CheckoutKey,
  checkoutKeyOf,
  createCheckoutKey,
  listCheckoutKeys,
  removeCheckoutKey,
} from '#server/app/checkout-keys.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { addSshKey, removeSshKey, setHostingKey } from '#server/app/ssh-keys.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'

/** Keys of generation 1.1: of checkouts, for other hosts, and for the hosting service. */
export function serveKeys({ serve }: Serving, { world }: App): void {
  const view = (key: CheckoutKey, digest = 'md5'): checkoutKeys.CheckoutKey => ({
    public_key: key.publicKey,
    type: keyType(key.owner, world.terms.dialect) as checkoutKeys.CheckoutKey['type'],
    fingerprint: digest === 'sha256' ? key.sha256 : key.md5,
    login: key.login,
    preferred: key.preferred,
    time: key.createdAt,
  })

  serve(checkoutKeys.listCheckoutKeys, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'inspect', projectName(params))
    return (await listCheckoutKeys(world, project)).map((key) => view(key, query.digest))
  })
  serve(checkoutKeys.getCheckoutKey, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'inspect', projectName(params))
    return view(await checkoutKeyOf(world, project, params.fingerprint), query.digest)
  })
  serve(checkoutKeys.createCheckoutKey, async ({ caller, params, body, reply, request }) => {
    const user = asUser(caller)
    const project = await projectFor(world, caller, 'configure', projectName(params))
    const made = view(await createCheckoutKey(world, project, user, body.type))
    reply.header('location', `${request.url.split('?')[0]}/${made.fingerprint}`)
    return made
  })
  serve(checkoutKeys.deleteCheckoutKey, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    await removeCheckoutKey(world, project, params.fingerprint)
    return { message: 'ok' }
  })

  serve(sshKeys.addSshKey, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    await addSshKey(world, project, body.hostname?.trim() ?? '', body.private_key)
    return '' as const
  })
  serve(sshKeys.deleteSshKey, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    await removeSshKey(world, project, body.hostname?.trim() ?? '', body.fingerprint)
    return '' as const
  })
  serve(hostingKey, async ({ caller, body }) => {
    await setHostingKey(world, asUser(caller), body.apikey)
    return '' as const
  })
}
