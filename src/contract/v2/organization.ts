import { type Static, Type } from 'typebox'
import { endpoint, Message, Uuid } from '#contract/endpoint.ts'
import { OrgNameParams } from './path.ts'
import { Project } from './project.ts'

/** What projects, people and contexts belong to. */
export const Organization = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  /** As whoever made it called its provider. */
  vcs_type: Type.String(),
})
export type Organization = Static<typeof Organization>

export const createOrganization = endpoint({
  method: 'POST',
  path: '/organization',
  summary: 'Make an organization and become its owner',
  access: 'user',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    /** A provider code; `service` and `circleci` are the built-in git host. */
    vcs_type: Type.String({ minLength: 1, maxLength: 50 }),
  }),
  response: Organization,
})

export const getOrganization = endpoint({
  method: 'GET',
  path: '/organization/:organization',
  summary: 'Read an organization',
  access: 'user',
  params: OrgNameParams,
  response: Organization,
})

export const deleteOrganization = endpoint({
  method: 'DELETE',
  path: '/organization/:organization',
  summary: 'Delete an organization with all of its projects',
  access: 'user',
  params: OrgNameParams,
  response: Message,
})

export const createProject = endpoint({
  method: 'POST',
  path: '/organization/:organization/project',
  summary: 'Add a project, whose repository the built-in git host has',
  access: 'user',
  params: OrgNameParams,
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: Project,
})
