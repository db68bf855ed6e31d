import { Refusal } from '#kit/refusal.ts'
import { isUuid } from '#kit/uuid.ts'
import { organizationById, organizationByName, type OrganizationRow, roleOf } from '#server/store/people.ts'
import { providerNamed } from './addresses.ts'
import type { Caller } from './callers.ts'
import { asUser } from './permissions.ts'
import type { World } from './world.ts'

export type { OrganizationRow }

/** What somebody is in an organization: owners decide about people and restrictions, members build and configure, viewers look on. */
export const roles = ['owner', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

/** How an organization was named: by its id, or by the two words of its slug. */
export type OrganizationName = { readonly id: string } | { readonly slug: string }

/** What somebody means by one word: an id, or a slug in one piece. */
export const organizationNamed = (word: string): OrganizationName => (isUuid(word) ? { id: word } : { slug: word })

const rank: Readonly<Record<string, number>> = { viewer: 1, member: 2, owner: 3 }

/** The organization of that name, if the caller is at least that in it. One that the caller does not belong to does not exist. */
export async function organizationFor(
  world: World,
  caller: Caller,
  least: Role,
  name: OrganizationName,
): Promise<OrganizationRow> {
  const user = asUser(caller)
  const organization = await find(world, name)
  const role =
    organization && user.user.admin !== 1
      ? (await roleOf(world.db, { user: user.id, organization: organization.id }))?.role
      : 'owner'
  if (!organization || role === undefined) throw new Refusal('not-found', 'Organization not found.')
  if (user.trail) user.trail.organization = organization.id
  if ((rank[role] ?? 0) < (rank[least] ?? 4)) throw new Refusal('forbidden', 'Permission denied')
  return organization
}

async function find(world: World, name: OrganizationName): Promise<OrganizationRow | undefined> {
  return 'id' in name ? organizationById(world.db, { id: name.id.toLowerCase() }) : organizationOfSlug(world, name.slug)
}

/** The organization that the two words of a slug name; the second may be its id, as it is in slugs that are made of ids. */
export async function organizationOfSlug(world: World, slug: string): Promise<OrganizationRow | undefined> {
  const [provider = '', organization = '', ...rest] = slug.split('/')
  const code = providerNamed(world, provider)
  if (!code || rest.length > 0) return undefined
  const known = await organizationByName(world.db, code, organization)
  if (known || !isUuid(organization)) return known
  const named = await organizationById(world.db, { id: organization.toLowerCase() })
  return named?.provider === code ? named : undefined
}
