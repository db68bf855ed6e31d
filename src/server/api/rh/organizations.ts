import type { AuditEntry, Member, Organization } from '#contract/rh/organizations.ts'
import * as contract from '#contract/rh/organizations.ts'
import { signInLink } from '#server/app/accounts.ts'
import { organizationSlug } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { type AuditRow, type DeedFilter, listDeeds } from '#server/app/audit.ts'
import * as memberships from '#server/app/memberships.ts'
import type { OrganizationRow } from '#server/app/organizations.ts'
import { asUser } from '#server/app/permissions.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'
import { linkView } from './users.ts'

const organizationView = (world: World, row: OrganizationRow, role: string | null): Organization => ({
  id: row.id,
  name: row.name,
  slug: organizationSlug(world, row),
  role: role as Organization['role'],
  created_at: row.created_at,
})

const memberView = ({ id, login, name, role, created_at }: memberships.MemberRow): Member => ({
  id,
  login,
  name,
  role: role as Member['role'],
  since: created_at,
})

const auditView = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.created_at,
  actor_id: row.actor_id,
  actor: row.actor,
  action: row.action,
  target: row.target,
  address: row.address,
  organization_id: row.organization_id,
})

const filterOf = ({ actor, q, until }: { actor?: string; q?: string; until?: string }): DeedFilter => ({
  actor,
  words: q,
  until,
})

/** Organizations, who belongs to them, and who did what in them. */
export function serveOrganizations({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.listOrganizations, async ({ caller, query }) => {
    const { items, next } = await memberships.listOrganizations(app, asUser(caller), query['page-token'])
    return { items: items.map((row) => organizationView(world, row, row.role)), next_page_token: next }
  })
  serve(contract.getOrganization, async ({ caller, params }) => {
    const { organization, role } = await memberships.organizationWithRole(world, caller, params.organization_id)
    return organizationView(world, organization, role)
  })
  serve(contract.createOrganization, async ({ caller, body }) =>
    organizationView(
      world,
      await memberships.createOrganization(world, asUser(caller), body.name, body.provider),
      'owner',
    ),
  )
  serve(contract.listMembers, async ({ caller, params, query }) => {
    const { items, next } = await memberships.listMembers(app, caller, params.organization_id, query['page-token'])
    return { items: items.map(memberView), next_page_token: next }
  })
  serve(contract.setMember, async ({ caller, params, body }) =>
    memberView(await memberships.setMember(app, caller, params.organization_id, params.login, body.role)),
  )
  serve(contract.removeMember, async ({ caller, params }) => {
    await memberships.removeMember(app, caller, params.organization_id, params.login)
    return { message: 'ok' }
  })
  serve(contract.inviteMember, async ({ caller, params, body }) => {
    const { role, ...form } = body
    const { user, member } = await memberships.inviteMember(app, caller, params.organization_id, form, role)
    return { member: memberView(member), ...linkView(await signInLink(world, user)) }
  })
  serve(contract.listAudit, async ({ caller, params, query }) => {
    const { items, next } = await listDeeds(app, caller, params.organization_id, filterOf(query), query['page-token'])
    return { items: items.map(auditView), next_page_token: next }
  })
  serve(contract.listAllAudit, async ({ caller, query }) => {
    const { items, next } = await listDeeds(app, caller, undefined, filterOf(query), query['page-token'])
    return { items: items.map(auditView), next_page_token: next }
  })
}
