import { readOrbReference } from '#config/orb-reference.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { deleteOrbPrefix, insertOrbPrefix, type OrbPrefixRow, orbPrefixesOf } from '#server/store/orb-prefixes.ts'
import { lockOrganization } from '#server/store/people.ts'
import { noOrbs, type OrbSources } from './orb-sources.ts'
import type { OrganizationRow } from './organizations.ts'
import type { World } from './world.ts'

export type { OrbPrefixRow }

const mostPrefixes = 100

export const listOrbPrefixes = (world: World, organization: OrganizationRow): Promise<OrbPrefixRow[]> =>
  orbPrefixesOf(world.db, { organization: organization.id })

/** Allows an address beside those that the operator allows. Whoever calls has seen to it that the caller owns the organization. */
export async function addOrbPrefix(
  world: World,
  organization: OrganizationRow,
  form: Pick<OrbPrefixRow, 'name' | 'prefix' | 'auth'>,
): Promise<OrbPrefixRow> {
  if (form.auth !== 'none')
    throw new Refusal(
      'invalid',
      `Cannot fetch orbs as auth must be none: it is ${form.auth}, and there are no credentials for that`,
    )
  const url = URL.canParse(form.prefix) ? new URL(form.prefix) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Refusal(
      'invalid',
      'Cannot allow the address of orbs as it must begin with https:// and have no password in it: it is otherwise',
    )
  const row = { id: world.newId(), organization_id: organization.id, ...form, created_at: world.now() }
  await world.db.transaction().execute(async (tx) => {
    await lockOrganization(tx, { id: organization.id })
    const present = await orbPrefixesOf(tx, { organization: organization.id })
    if (present.length >= mostPrefixes)
      throw new Refusal(
        'invalid',
        `Cannot allow the address of orbs as an organization has at most ${mostPrefixes}: it has them`,
      )
    if (present.some(({ prefix }) => prefix === form.prefix))
      throw new Refusal('conflict', 'Cannot allow the address of orbs: it is allowed already')
    await insertOrbPrefix(tx, row)
  })
  return row
}

export async function removeOrbPrefix(world: World, organization: OrganizationRow, id: string): Promise<void> {
  const gone = await world.db.transaction().execute((tx) => deleteOrbPrefix(tx, organization.id, id.toLowerCase()))
  orNotFound(gone || undefined, 'Allow list entry')
}

/** Where the configurations of an organization get their orbs from; its list is read only when one wants an orb from an address. */
export function orbsFor(world: World, organization: string): OrbSources {
  let sources = world.orbs ?? noOrbs
  let isKnown = false
  return {
    registry: (reference) => sources.registry(reference),
    async learn(asked) {
      if (!isKnown && sources.allowing && [...asked].some((one) => readOrbReference(one)?.type === 'address')) {
        isKnown = true
        const rows = await orbPrefixesOf(world.db, { organization })
        sources = sources.allowing(rows.map(({ prefix }) => prefix))
        return (await sources.learn(asked)) || rows.length > 0
      }
      return sources.learn(asked)
    },
  }
}
