import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { Login, SignInLink } from './users.ts'

/** What somebody is in an organization: owners decide about people, members build and configure, viewers look on. */
export const memberRoles = ['owner', 'member', 'viewer'] as const

const Role = OneOf(...memberRoles)
const paging = { 'page-token': Type.Optional(Type.String()) }
const OrganizationParams = Type.Object({ organization_id: Uuid })

/** An organization, and what the caller is in it; an administrator who does not belong to it is nothing. */
export const Organization = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  role: Nullable(Role),
  created_at: Time,
})
export type Organization = Static<typeof Organization>

/** Somebody who belongs to an organization. */
export const Member = Type.Object({ id: Uuid, login: Type.String(), name: Type.String(), role: Role, since: Time })
export type Member = Static<typeof Member>

/** Something that somebody did, and from where. */
export const AuditEntry = Type.Object({
  id: Uuid,
  at: Time,
  actor_id: Nullable(Uuid),
  actor: Type.String(),
  /** The operation, as the description of this interface calls it. */
  action: Type.String(),
  target: Type.String(),
  address: Type.String(),
  organization_id: Nullable(Uuid),
})
export type AuditEntry = Static<typeof AuditEntry>

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/organizations',
  summary: 'List the organizations that the caller belongs to; an administrator sees all',
  access: 'user',
  query: Type.Object(paging),
  response: Page(Organization),
})

export const getOrganization = endpoint({
  method: 'GET',
  path: '/organizations/:organization_id',
  summary: 'Read an organization, and what the caller is in it',
  access: 'user',
  params: OrganizationParams,
  response: Organization,
})

export const createOrganization = endpoint({
  method: 'POST',
  path: '/organizations',
  summary: 'Make an organization and become its owner',
  access: 'user',
  status: 201,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    /** A provider code; that of the built-in git host where it is left out. */
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  }),
  response: Organization,
})

export const listMembers = endpoint({
  method: 'GET',
  path: '/organizations/:organization_id/members',
  summary: 'List who belongs to an organization',
  access: 'user',
  params: OrganizationParams,
  query: Type.Object(paging),
  response: Page(Member),
})

export const setMember = endpoint({
  method: 'PUT',
  path: '/organizations/:organization_id/members/:login',
  summary: 'Let a user into an organization, or change what they are in it',
  access: 'user',
  params: Type.Object({ organization_id: Uuid, login: Login }),
  body: Type.Object({ role: Role }),
  response: Member,
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/organizations/:organization_id/members/:login',
  summary: 'Take a user out of an organization; everybody may leave, but the last owner',
  access: 'user',
  params: Type.Object({ organization_id: Uuid, login: Login }),
  response: Message,
})

export const inviteMember = endpoint({
  method: 'POST',
  path: '/organizations/:organization_id/invitations',
  summary: 'Make a user who belongs to an organization, and a link that signs them in once',
  access: 'user',
  status: 201,
  params: OrganizationParams,
  body: Type.Object({
    login: Login,
    role: Role,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
  }),
  response: Type.Object({ member: Member, ...SignInLink.properties }),
})

const AuditQuery = Type.Object({
  ...paging,
  /** A login. */
  actor: Type.Optional(Type.String({ maxLength: 200 })),
  /** Words that its action or its target holds, all of them. */
  q: Type.Optional(Type.String({ maxLength: 200 })),
  /** Only what was done before. */
  until: Type.Optional(Time),
})

export const listAudit = endpoint({
  method: 'GET',
  path: '/organizations/:organization_id/audit',
  summary: 'Read who changed what in an organization, newest first',
  access: 'user',
  params: OrganizationParams,
  query: AuditQuery,
  /** A page may hold fewer than there are, even none, and still have a next one: only so many are looked through at once. */
  response: Page(AuditEntry),
})

export const listAllAudit = endpoint({
  method: 'GET',
  path: '/audit',
  summary: 'Read who changed what in the whole installation, newest first',
  access: 'admin',
  query: AuditQuery,
  /** A page may hold fewer than there are, even none, and still have a next one: only so many are looked through at once. */
  response: Page(AuditEntry),
})
