import { type Static, Type } from 'typebox'
import { endpoint, Time, Uuid } from '#contract/endpoint.ts'

/** `1h30m`: how long something lasts. */
const Duration = Type.String({ pattern: '^([0-9]+(ms|s|m|h|d|w)){1,7}$', maxLength: 50 })

/** What an organization, or a project of it, wants the tokens of its jobs to say. */
export const Claims = Type.Object({
  org_id: Uuid,
  project_id: Type.Optional(Uuid),
  audience: Type.Optional(Type.Array(Type.String())),
  audience_updated_at: Type.Optional(Time),
  ttl: Type.Optional(Type.String()),
  ttl_updated_at: Type.Optional(Time),
})
export type Claims = Static<typeof Claims>

const change = Type.Object({
  /** For whom tokens are; the organization's id unless given. */
  audience: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 20 })),
  /** How long tokens are good, between a minute and a day; an hour unless given. */
  ttl: Type.Optional(Duration),
})

/** Which claims are meant: `audience`, `ttl`, or both with a comma between them. */
const which = Type.Object({ claims: Type.String({ pattern: '^(audience|ttl)(,(audience|ttl))?$' }) })

const OfOrg = Type.Object({ org_id: Uuid })
const OfProject = Type.Object({ org_id: Uuid, project_id: Uuid })

export const getOrgClaims = endpoint({
  method: 'GET',
  path: '/org/:org_id/oidc-custom-claims',
  summary: 'Read what an organization wants the tokens of its jobs to say',
  access: 'user',
  params: OfOrg,
  response: Claims,
})

export const updateOrgClaims = endpoint({
  method: 'PATCH',
  path: '/org/:org_id/oidc-custom-claims',
  summary: 'Change what is given of the claims of an organization',
  access: 'user',
  params: OfOrg,
  body: change,
  response: Claims,
})

export const deleteOrgClaims = endpoint({
  method: 'DELETE',
  path: '/org/:org_id/oidc-custom-claims',
  summary: 'Take claims of an organization back',
  access: 'user',
  params: OfOrg,
  query: which,
  response: Claims,
})

export const getProjectClaims = endpoint({
  method: 'GET',
  path: '/org/:org_id/project/:project_id/oidc-custom-claims',
  summary: 'Read what a project wants the tokens of its jobs to say',
  access: 'user',
  params: OfProject,
  response: Claims,
})

export const updateProjectClaims = endpoint({
  method: 'PATCH',
  path: '/org/:org_id/project/:project_id/oidc-custom-claims',
  summary: 'Change what is given of the claims of a project',
  access: 'user',
  params: OfProject,
  body: change,
  response: Claims,
})

export const deleteProjectClaims = endpoint({
  method: 'DELETE',
  path: '/org/:org_id/project/:project_id/oidc-custom-claims',
  summary: 'Take claims of a project back',
  access: 'user',
  params: OfProject,
  query: which,
  response: Claims,
})
