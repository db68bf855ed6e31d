import { type Static, Type } from 'typebox'
import { endpoint, Message, OneOf, Page, Uuid } from '#contract/endpoint.ts'
import { orgNameParams, OrgNameParams, PageQuery } from './path.ts'

const entry = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  /** What the address of an orb must begin with. */
  prefix: Type.String({ minLength: 1, maxLength: 1000 }),
  /** With whose credentials orbs are fetched from there: this service fetches with none. */
  auth: OneOf('none', 'github-oauth', 'github-app', 'bitbucket-oauth'),
}

/** An address from which the configurations of an organization may take orbs. */
export const OrbPrefix = Type.Object({ id: Uuid, ...entry })
export type OrbPrefix = Static<typeof OrbPrefix>

export const listOrbPrefixes = endpoint({
  method: 'GET',
  path: '/organization/:organization/url-orb-allow-list',
  summary: 'List the addresses from which the configurations of an organization may take orbs',
  access: 'user',
  params: OrgNameParams,
  query: PageQuery,
  response: Page(OrbPrefix),
})

export const createOrbPrefix = endpoint({
  method: 'POST',
  path: '/organization/:organization/url-orb-allow-list',
  summary: 'Allow the configurations of an organization to take orbs from an address',
  access: 'user',
  status: 201,
  params: OrgNameParams,
  body: Type.Object(entry),
  response: Type.Object({ id: Uuid, message: Type.String() }),
})

export const deleteOrbPrefix = endpoint({
  method: 'DELETE',
  path: '/organization/:organization/url-orb-allow-list/:allow_list_entry_id',
  summary: 'Allow an address of orbs no more',
  access: 'user',
  params: orgNameParams({ allow_list_entry_id: Uuid }),
  response: Message,
})
