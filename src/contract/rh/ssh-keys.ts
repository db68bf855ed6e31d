import { type Static, Type } from 'typebox'
import { endpoint, Message, Time, Uuid } from '#contract/endpoint.ts'

/** A public key by which its owner comes into jobs that run with SSH. */
export const UserSshKey = Type.Object({
  id: Uuid,
  label: Type.String(),
  public_key: Type.String(),
  /** `SHA256:` and base64, as ssh-keygen prints it. */
  fingerprint: Type.String(),
  created_at: Time,
})
export type UserSshKey = Static<typeof UserSshKey>

export const listUserSshKeys = endpoint({
  method: 'GET',
  path: '/me/ssh-key',
  summary: 'List the public keys by which the caller comes into jobs',
  access: 'user',
  response: Type.Object({ items: Type.Array(UserSshKey) }),
})

export const addUserSshKey = endpoint({
  method: 'POST',
  path: '/me/ssh-key',
  summary: 'Add a public key, as it stands in a .pub file',
  access: 'user',
  status: 201,
  body: Type.Object({
    public_key: Type.String({ minLength: 1, maxLength: 10_000 }),
    label: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  response: UserSshKey,
})

export const deleteUserSshKey = endpoint({
  method: 'DELETE',
  path: '/me/ssh-key/:id',
  summary: 'Delete a public key of the caller: it opens no job any more',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: Message,
})
