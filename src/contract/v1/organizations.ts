import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OpenMap, Time } from '#contract/endpoint.ts'
import { ListedBuild } from './build.ts'
import { page } from './page.ts'

/*
 * What clients ask of organizations and repositories beside the interface.
 */

/** An organization that the caller belongs to. */
export const UserOrganization = Type.Object({
  name: Type.String(),
  login: Type.String(),
  vcs_type: Type.String(),
  avatar_url: Nullable(Type.String()),
  admin: Type.Boolean(),
  org: Type.Boolean(),
})
export type UserOrganization = Static<typeof UserOrganization>

/** A repository that the caller may build or look at. */
export const Repository = Type.Object({
  name: Type.String(),
  username: Type.String(),
  owner: Type.Object({
    login: Type.String(),
    name: Type.String(),
    external_id: Type.Integer(),
    avatar_url: Nullable(Type.String()),
  }),
  vcs_url: Type.String(),
  vcs_type: Type.String(),
  default_branch: Nullable(Type.String()),
  private: Type.Boolean(),
  following: Type.Boolean(),
  /** Whether anybody follows it. */
  has_followers: Type.Boolean(),
  fork: Type.Boolean(),
  language: Nullable(Type.String()),
  created_at: Time,
  admin: Type.Boolean(),
})
export type Repository = Static<typeof Repository>

const Organization = Type.Object({ vcs: Type.String({ minLength: 1 }), org: Type.String({ minLength: 1 }) })

export const listOrganizationBuilds = endpoint({
  method: 'GET',
  path: '/organization/:vcs/:org',
  summary: 'List the builds of all projects of an organization, newest first',
  access: 'user',
  params: Organization,
  query: Type.Object(page),
  response: Type.Array(ListedBuild),
})

export const getOrganizationSettings = endpoint({
  method: 'GET',
  path: '/organization/:vcs/:org/settings',
  summary: 'Read the settings of an organization',
  access: 'user',
  params: Organization,
  response: Type.Object({ name: Type.String(), vcs_type: Type.String(), feature_flags: OpenMap }),
})

export const listUserOrganizations = endpoint({
  method: 'GET',
  path: '/user/organizations',
  summary: 'List the organizations that the caller belongs to',
  access: 'user',
  response: Type.Array(UserOrganization),
})

export const listRepositories = endpoint({
  method: 'GET',
  path: '/user/repos/:vcs',
  summary: 'List the repositories of the organizations that the caller belongs to, a page at a time',
  access: 'user',
  params: Type.Object({ vcs: Type.String({ minLength: 1 }) }),
  query: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Above 100 means 100. */
    'per-page': Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  response: Type.Array(Repository),
})
