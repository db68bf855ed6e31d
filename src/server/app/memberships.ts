import type { OrganizationId } from '#core/ids.ts'
import { checkName } from '#core/refs.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import {
  countOwners,
  deleteMember,
  membersAfter,
  membershipsAfter,
  organizationsAfter,
  putMember,
} from '#server/store/members.ts'
import {
  insertMember,
  insertOrganization,
  lockOrganization,
  type OrganizationRow,
  roleOf,
  userByLogin,
  type UserRow,
} from '#server/store/people.ts'
import type { Tx } from '#server/store/schema.ts'
import { type AccountForm, insertAccount } from './accounts.ts'
import { providerNamed } from './addresses.ts'
import type { App } from './app.ts'
import type { Caller, User } from './callers.ts'
import { pageOf } from './lists.ts'
import { organizationFor, type Role } from './organizations.ts'
import { asUser } from './permissions.ts'
import type { World } from './world.ts'

/** Somebody who belongs to an organization. */
export type MemberRow = Awaited<ReturnType<typeof membersAfter>>[number]

/** The organizations that a user belongs to; all of them for an administrator. */
export function listOrganizations(app: App, user: User, token: string | undefined) {
  const read = user.user.admin === 1 ? organizationsAfter : membershipsAfter
  return pageOf(app, `organizations:${user.id}`, token, (after, most) =>
    read(app.world.db, { user: user.id, after, most }),
  )
}

/** An organization that the caller may see, and what the caller is in it; an administrator may be nothing. */
export async function organizationWithRole(world: World, caller: Caller, id: string) {
  const organization = await organizationFor(world, caller, 'viewer', { id })
  const found = await roleOf(world.db, { user: asUser(caller).id, organization: organization.id })
  return { organization, role: found?.role ?? null }
}

export async function createOrganization(
  world: World,
  user: User,
  name: string,
  provider?: string,
): Promise<OrganizationRow> {
  const code = provider === undefined ? world.terms.hostedAs : providerNamed(world, provider)
  if (!code) throw new Refusal('invalid', 'Cannot make an organization as there must be such a provider: there is none')
  checkName('organization', name)
  const at = world.now()
  const key = name.toLowerCase()
  const row = {
    id: world.newId() as OrganizationId,
    provider: code,
    name,
    key,
    created_at: at,
    named_as: provider ?? null,
  }
  await world.db.transaction().execute(async (tx) => {
    if (!(await insertOrganization(tx, row)))
      throw new Refusal('conflict', `Cannot make organization ${name}: there is one of that name`)
    await insertMember(tx, { organization_id: row.id, user_id: user.id, role: 'owner', created_at: at })
  })
  return row
}

export async function listMembers(app: App, caller: Caller, id: string, token: string | undefined) {
  const { id: organization } = await organizationFor(app.world, caller, 'viewer', { id })
  return pageOf(app, `members:${organization}`, token, (after, most) =>
    membersAfter(app.world.db, { organization, after, most }),
  )
}

/** Lets a user in, or changes what they are. An organization always keeps an owner. */
export async function setMember(
  { world }: App,
  caller: Caller,
  id: string,
  login: string,
  role: Role,
): Promise<MemberRow> {
  const organization = await organizationFor(world, caller, 'owner', { id })
  const user = orNotFound(await userByLogin(world.db, login), 'User')
  return world.db.transaction().execute((tx) => admit(world, tx, organization, user, role))
}

async function admit(
  world: World,
  tx: Tx,
  organization: OrganizationRow,
  user: UserRow,
  role: Role,
): Promise<MemberRow> {
  await lockOrganization(tx, { id: organization.id })
  const row = { organization_id: organization.id, user_id: user.id, role, created_at: world.now() }
  await putMember(tx, row)
  await keepOwner(tx, organization)
  return { id: user.id, login: user.login, name: user.name, role, created_at: row.created_at }
}

async function keepOwner(tx: Tx, organization: OrganizationRow): Promise<void> {
  if ((await countOwners(tx, organization.id)) === 0)
    throw new Refusal('conflict', `Cannot take the last owner of ${organization.name} away: somebody must be one`)
}

/** Takes a user out; everybody may leave. */
export async function removeMember({ world }: App, caller: Caller, id: string, login: string): Promise<void> {
  const leaves = asUser(caller).user.key === login.toLowerCase()
  const organization = await organizationFor(world, caller, leaves ? 'viewer' : 'owner', { id })
  const user = orNotFound(await userByLogin(world.db, login), 'Member')
  await world.db.transaction().execute(async (tx) => {
    await lockOrganization(tx, { id: organization.id })
    orNotFound((await deleteMember(tx, organization.id, user.id)) || undefined, 'Member')
    await keepOwner(tx, organization)
  })
}

/** Makes a user who belongs to an organization from the first moment. */
export async function inviteMember(
  { world }: App,
  caller: Caller,
  id: string,
  form: AccountForm,
  role: Role,
): Promise<{ readonly user: UserRow; readonly member: MemberRow }> {
  const organization = await organizationFor(world, caller, 'owner', { id })
  return world.db.transaction().execute(async (tx) => {
    const user = await insertAccount(world, tx, form)
    return { user, member: await admit(world, tx, organization, user, role) }
  })
}
