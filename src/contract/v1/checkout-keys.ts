import { type Static, Type } from 'typebox'
import { checkoutKeyRequests, checkoutKeyTypes, digests } from '#contract/checkout-key.ts'
import { endpoint, Message, Nullable, OneOf, Time } from '#contract/endpoint.ts'
import { projectParams, ProjectParams } from './path.ts'

/** A key with which a project is checked out; `login` is the owner of a user's key. */
export const CheckoutKey = Type.Object({
  public_key: Type.String(),
  type: OneOf(...checkoutKeyTypes),
  fingerprint: Type.String(),
  login: Nullable(Type.String()),
  preferred: Type.Boolean(),
  time: Time,
})
export type CheckoutKey = Static<typeof CheckoutKey>

const KeyParams = projectParams({ fingerprint: Type.String({ minLength: 1 }) })
const DigestQuery = Type.Object({ digest: Type.Optional(OneOf(...digests)) })

export const listCheckoutKeys = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/checkout-key',
  summary: 'List the checkout keys of a project',
  access: 'project:read-settings',
  params: ProjectParams,
  query: DigestQuery,
  response: Type.Array(CheckoutKey),
})

export const getCheckoutKey = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/checkout-key/:fingerprint',
  summary: 'Read a checkout key of a project',
  access: 'project:read-settings',
  params: KeyParams,
  query: DigestQuery,
  response: CheckoutKey,
})

export const createCheckoutKey = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/checkout-key',
  summary: 'Make a checkout key of a project',
  access: 'user',
  status: 201,
  params: ProjectParams,
  body: Type.Object({ type: OneOf(...checkoutKeyRequests) }),
  response: CheckoutKey,
})

export const deleteCheckoutKey = endpoint({
  method: 'DELETE',
  path: '/project/:vcs/:org/:repo/checkout-key/:fingerprint',
  summary: 'Delete a checkout key of a project',
  access: 'project:write-settings',
  params: KeyParams,
  response: Message,
})
