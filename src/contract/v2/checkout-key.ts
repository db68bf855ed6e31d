import { type Static, Type } from 'typebox'
import { checkoutKeyRequests, checkoutKeyTypes, digests } from '#contract/checkout-key.ts'
import { endpoint, Message, OneOf, Page, Time } from '#contract/endpoint.ts'
import { paging, projectParams, ProjectParams } from './path.ts'

/** A key with which a project is checked out; real clients read either spelling. */
export const CheckoutKey = Type.Object({
  'public-key': Type.String(),
  public_key: Type.String(),
  type: OneOf(...checkoutKeyTypes),
  fingerprint: Type.String(),
  preferred: Type.Boolean(),
  'created-at': Time,
  created_at: Time,
})
export type CheckoutKey = Static<typeof CheckoutKey>

const KeyParams = projectParams({ fingerprint: Type.String({ minLength: 1 }) })
const digest = { digest: Type.Optional(OneOf(...digests)) }

export const listCheckoutKeys = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/checkout-key',
  summary: 'List the checkout keys of a project',
  access: 'user',
  params: ProjectParams,
  query: Type.Object({ ...paging, ...digest }),
  response: Page(CheckoutKey),
})

export const createCheckoutKey = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/checkout-key',
  summary: 'Make a checkout key of a project',
  access: 'user',
  status: 201,
  params: ProjectParams,
  body: Type.Object({ type: OneOf(...checkoutKeyRequests) }),
  response: CheckoutKey,
})

export const getCheckoutKey = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/checkout-key/:fingerprint',
  summary: 'Read a checkout key of a project',
  access: 'user',
  params: KeyParams,
  query: Type.Object(digest),
  response: CheckoutKey,
})

export const deleteCheckoutKey = endpoint({
  method: 'DELETE',
  path: '/project/:provider/:org/:repo/checkout-key/:fingerprint',
  summary: 'Delete a checkout key of a project',
  access: 'user',
  params: KeyParams,
  response: Message,
})
