import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Time, Uuid } from '#contract/endpoint.ts'
import { ProjectParams } from '#contract/v2/path.ts'
import { memberRoles } from './organizations.ts'

/** What the caller may do with a project: what a page offers, and what it only shows. */
export const ProjectAccess = Type.Object({
  project_id: Uuid,
  organization_id: Uuid,
  /** Whether its repository lives on this server. */
  hosted: Type.Boolean(),
  /** In its organization; null for those who do not belong to it. */
  role: Nullable(OneOf(...memberRoles)),
  may_build: Type.Boolean(),
  /** See the settings. */
  may_inspect: Type.Boolean(),
  may_configure: Type.Boolean(),
  /** Decide what only owners decide. */
  may_own: Type.Boolean(),
})
export type ProjectAccess = Static<typeof ProjectAccess>

export const getProjectAccess = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/access',
  summary: 'Read what the caller may do with a project',
  access: 'user',
  params: ProjectParams,
  response: ProjectAccess,
})

/** A key that the builds of a project get; its private part is never told. */
export const ProjectSshKey = Type.Object({
  /** Empty: any host. */
  hostname: Type.String(),
  public_key: Type.String(),
  fingerprint: Type.String(),
})
export type ProjectSshKey = Static<typeof ProjectSshKey>

export const listProjectSshKeys = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/ssh-key',
  summary: 'List the keys for other hosts that the builds of a project get',
  access: 'user',
  params: ProjectParams,
  response: Type.Object({ items: Type.Array(ProjectSshKey) }),
})

/** A pipeline parameter as a configuration declares it. */
export const DeclaredParameter = Type.Object({
  name: Type.String(),
  type: OneOf('string', 'boolean', 'integer', 'enum'),
  default: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  description: Nullable(Type.String()),
  /** Of an enum: what it can be. */
  choices: Type.Array(Type.String()),
})
export type DeclaredParameter = Static<typeof DeclaredParameter>

export const listDeclaredParameters = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/parameters',
  summary: 'List the parameters that the configuration on a branch or a tag declares',
  access: 'user',
  params: ProjectParams,
  query: Type.Object({
    /** The default branch where neither is given. */
    branch: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  }),
  response: Type.Object({
    branch: Nullable(Type.String()),
    tag: Nullable(Type.String()),
    revision: Type.String(),
    /** Where the configuration lies; null where there is none. */
    config_path: Nullable(Type.String()),
    items: Type.Array(DeclaredParameter),
  }),
})

export const listNextRuns = endpoint({
  method: 'GET',
  path: '/schedule/:schedule_id/next',
  summary: 'List the next times at which a schedule fires',
  access: 'user',
  params: Type.Object({ schedule_id: Uuid }),
  query: Type.Object({ count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })) }),
  response: Type.Object({ items: Type.Array(Time) }),
})
