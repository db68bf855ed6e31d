import { type Static, Type } from 'typebox'
import { endpoint, Message, OneOf, type Scope, Time } from '#contract/endpoint.ts'
import { projectParams, ProjectParams } from './path.ts'

/** What a project token may do. */
export const tokenScopes = [
  'status',
  'view-builds',
  'trigger-builds',
  'read-settings',
  'write-settings',
  'all',
] as const satisfies readonly Scope[]

const Label = Type.String({ minLength: 1, maxLength: 200 })

/** A token of a user: whole in the answer that made it, masked ever after. */
export const UserToken = Type.Object({
  id: Type.String(),
  token: Type.String(),
  label: Type.String(),
  time: Time,
})
export type UserToken = Static<typeof UserToken>

/** A token of a project, as above. */
export const ProjectToken = Type.Object({ ...UserToken.properties, scope: OneOf(...tokenScopes) })
export type ProjectToken = Static<typeof ProjectToken>

export const listUserTokens = endpoint({
  method: 'GET',
  path: '/user/token',
  summary: 'List the tokens of the caller',
  access: 'user',
  response: Type.Array(UserToken),
})

export const createUserToken = endpoint({
  method: 'POST',
  path: '/user/token',
  summary: 'Make a token of the caller',
  access: 'user',
  status: 201,
  body: Type.Object({ label: Label }),
  response: UserToken,
})

export const deleteUserToken = endpoint({
  method: 'DELETE',
  path: '/user/token/:token',
  summary: 'Revoke a token of the caller, named by its id or by itself',
  access: 'user',
  params: Type.Object({ token: Type.String({ minLength: 1 }) }),
  response: Message,
})

export const listProjectTokens = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/token',
  summary: 'List the tokens of a project',
  access: 'project:read-settings',
  params: ProjectParams,
  response: Type.Array(ProjectToken),
})

// Whoever makes tokens can make one that holds every scope, so nothing less than every scope may make them.
export const createProjectToken = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/token',
  summary: 'Make a token of a project',
  access: 'project:all',
  status: 201,
  params: ProjectParams,
  body: Type.Object({ label: Label, scope: OneOf(...tokenScopes) }),
  response: ProjectToken,
})

export const deleteProjectToken = endpoint({
  method: 'DELETE',
  path: '/project/:vcs/:org/:repo/token/:token',
  summary: 'Revoke a token of a project, named by its id or by itself',
  access: 'project:all',
  params: projectParams({ token: Type.String({ minLength: 1 }) }),
  response: Message,
})
