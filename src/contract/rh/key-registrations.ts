import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, OneOf, Time } from '#contract/endpoint.ts'
import { ProjectParams } from '#contract/v2/path.ts'

/** How a checkout key stands at the provider. */
export const KeyRegistration = Type.Object({
  /** MD5, with colons. */
  fingerprint: Type.String(),
  sha256: Type.String(),
  type: OneOf('deploy-key', 'user-key'),
  /** False: the provider is to forget it. */
  wanted: Type.Boolean(),
  /** `pending`: it is tried again by itself; `failed`: only when somebody asks for it. */
  state: OneOf('pending', 'registered', 'failed'),
  attempts: Type.Integer(),
  /** Why the last attempt failed. */
  error: Nullable(Type.String()),
  /** When it is tried again. */
  next_at: Nullable(Time),
  updated_at: Time,
})
export type KeyRegistration = Static<typeof KeyRegistration>

export const listKeyRegistrations = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/key-registrations',
  summary: 'List the checkout keys that the provider of a project is to let in or to forget, and whether it did',
  access: 'user',
  params: ProjectParams,
  response: Type.Object({ items: Type.Array(KeyRegistration) }),
})

export const retryKeyRegistration = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/key-registrations/:fingerprint/retry',
  summary: 'Ask the provider of a project once more to let a checkout key in, or to forget it',
  access: 'user',
  status: 202,
  params: Type.Object({ ...ProjectParams.properties, fingerprint: Type.String({ minLength: 1, maxLength: 200 }) }),
  response: Message,
})
