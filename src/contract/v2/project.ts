import { type Static, Type } from 'typebox'
import { endpoint, Message, Uuid } from '#contract/endpoint.ts'
import { ProjectParams } from './path.ts'

/** A repository that the service builds. */
export const Project = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  id: Uuid,
  organization_name: Type.String(),
  organization_slug: Type.String(),
  organization_id: Uuid,
  vcs_info: Type.Object({
    vcs_url: Type.String(),
    /** As a person writes it. */
    provider: Type.String(),
    default_branch: Type.String(),
  }),
})
export type Project = Static<typeof Project>

export const getProject = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo',
  summary: 'Read a project',
  access: 'user-or-public',
  params: ProjectParams,
  response: Project,
})

export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/project/:provider/:org/:repo',
  summary: 'Delete a project with its repository and everything it ever built',
  access: 'user',
  params: ProjectParams,
  response: Message,
})
