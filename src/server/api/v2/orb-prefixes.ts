import type { OrbPrefix } from '#contract/v2/orb-prefix.ts'
import * as contract from '#contract/v2/orb-prefix.ts'
import type { App } from '#server/app/app.ts'
import { addOrbPrefix, listOrbPrefixes, type OrbPrefixRow, removeOrbPrefix } from '#server/app/orb-prefixes.ts'
import { organizationFor, organizationNamed } from '#server/app/organizations.ts'
import type { Serving } from '#server/api/serve.ts'

const view = ({ id, name, prefix, auth }: OrbPrefixRow): OrbPrefix => ({
  id,
  name,
  prefix,
  auth: auth as OrbPrefix['auth'],
})

/** Which orbs by address an organization allows. */
export function serveOrbPrefixes({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.listOrbPrefixes, async ({ caller, params, query }) => {
    app.cursors.none(query['page-token'])
    const organization = await organizationFor(world, caller, 'viewer', organizationNamed(params.organization))
    return { items: (await listOrbPrefixes(world, organization)).map(view), next_page_token: null }
  })
  serve(contract.createOrbPrefix, async ({ caller, params, body }) => {
    const organization = await organizationFor(world, caller, 'owner', organizationNamed(params.organization))
    const { name, prefix, auth } = body
    const { id } = await addOrbPrefix(world, organization, { name, prefix, auth })
    return { id, message: 'Address of orbs allowed.' }
  })
  serve(contract.deleteOrbPrefix, async ({ caller, params }) => {
    const organization = await organizationFor(world, caller, 'owner', organizationNamed(params.organization))
    await removeOrbPrefix(world, organization, params.allow_list_entry_id)
    return { message: 'Address of orbs allowed no more.' }
  })
}
