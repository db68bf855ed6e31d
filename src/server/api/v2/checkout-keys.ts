import * as contract from '#contract/v2/checkout-key.ts'
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
import type { Serving } from '#server/api/serve.ts'

/** Checkout keys of generation 2. */
export function serveCheckoutKeys({ serve }: Serving, { world, cursors }: App): void {
  const view = (key: CheckoutKey, digest = 'md5'): contract.CheckoutKey => ({
    'public-key': key.publicKey,
    public_key: key.publicKey,
    type: keyType(key.owner, world.terms.dialect) as contract.CheckoutKey['type'],
    fingerprint: digest === 'sha256' ? key.sha256 : key.md5,
    preferred: key.preferred,
    'created-at': key.createdAt,
    created_at: key.createdAt,
  })

  serve(contract.listCheckoutKeys, async ({ caller, params, query }) => {
    cursors.none(query['page-token'])
    const project = await projectFor(world, caller, 'inspect', params)
    const items = (await listCheckoutKeys(world, project)).map((key) => view(key, query.digest))
    return { items, next_page_token: null }
  })
  serve(contract.createCheckoutKey, async ({ caller, params, body }) => {
    const user = asUser(caller)
    const project = await projectFor(world, caller, 'configure', params)
    return view(await createCheckoutKey(world, project, user, body.type))
  })
  serve(contract.getCheckoutKey, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'inspect', params)
    return view(await checkoutKeyOf(world, project, params.fingerprint), query.digest)
  })
  serve(contract.deleteCheckoutKey, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', params)
    await removeCheckoutKey(world, project, params.fingerprint)
    return { message: 'ok' }
  })
}
