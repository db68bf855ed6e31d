import { type Static, Type } from 'typebox'
import { endpoint, Nullable, Page, Uuid } from '#contract/endpoint.ts'
import { PageQuery } from './path.ts'

/** A person who uses the service. */
export const User = Type.Object({
  id: Uuid,
  login: Type.String(),
  name: Type.String(),
  avatar_url: Type.Optional(Type.String()),
})
export type User = Static<typeof User>

/** An organization that the caller may work on; real clients read either spelling of the provider. */
export const Collaboration = Type.Object({
  id: Nullable(Uuid),
  'vcs-type': Type.String(),
  vcs_type: Type.String(),
  name: Type.String(),
  avatar_url: Nullable(Type.String()),
  slug: Type.String(),
})
export type Collaboration = Static<typeof Collaboration>

export const getMe = endpoint({
  method: 'GET',
  path: '/me',
  summary: 'Read the signed-in user',
  access: 'user',
  response: User,
})

export const listCollaborations = endpoint({
  method: 'GET',
  path: '/me/collaborations',
  summary: 'List the organizations that the caller may work on',
  access: 'user',
  response: Type.Array(Collaboration),
})

export const listFollowedProjects = endpoint({
  method: 'GET',
  path: '/me/followed-projects',
  summary: 'List the projects that the caller follows',
  access: 'user',
  query: PageQuery,
  response: Page(Type.Object({ id: Uuid, name: Type.String(), slug: Type.String(), vcs_type: Type.String() })),
})

export const getUser = endpoint({
  method: 'GET',
  path: '/user/:id',
  summary: 'Read a user',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: User,
})
