import { type Static, Type } from 'typebox'
import { endpoint, Page, Time, Uuid } from '#contract/endpoint.ts'

const params = Type.Object({ id: Uuid })

/** A cache of a project. */
export const CacheEntry = Type.Object({
  id: Uuid,
  key: Type.String(),
  size: Type.Integer(),
  created_at: Time,
  expires_at: Time,
})
export type CacheEntry = Static<typeof CacheEntry>

export const listCaches = endpoint({
  method: 'GET',
  path: '/project/:id/caches',
  summary: 'List the caches of a project, newest first',
  access: 'project:read-settings',
  params,
  query: Type.Object({ 'page-token': Type.Optional(Type.String()) }),
  response: Page(CacheEntry),
})

export const deleteCaches = endpoint({
  method: 'DELETE',
  path: '/project/:id/caches',
  summary: 'Forget the caches of a project, or those whose key begins with a prefix',
  access: 'project:write-settings',
  params,
  query: Type.Object({ prefix: Type.Optional(Type.String({ maxLength: 900 })) }),
  response: Type.Object({ message: Type.String(), deleted: Type.Integer() }),
})
