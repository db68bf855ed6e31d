import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, Uuid } from '#contract/endpoint.ts'

/** The user whom this browser or token speaks for. */
export const SessionUser = Type.Object({
  id: Uuid,
  login: Type.String(),
  name: Type.String(),
  avatar_url: Nullable(Type.String()),
  /** Of this installation. */
  admin: Type.Boolean(),
})
export type SessionUser = Static<typeof SessionUser>

export const signIn = endpoint({
  method: 'POST',
  path: '/session',
  summary: 'Sign in with a key that works once; sets the session cookie',
  access: 'anyone',
  body: Type.Object({ key: Type.String({ minLength: 1, maxLength: 500 }) }),
  response: SessionUser,
})

export const getSession = endpoint({
  method: 'GET',
  path: '/session',
  summary: 'Read who is signed in',
  access: 'user',
  response: SessionUser,
})

export const signOut = endpoint({
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out',
  access: 'user',
  response: Message,
})
