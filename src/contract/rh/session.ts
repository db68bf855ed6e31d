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

export const signInWithPassword = endpoint({
  method: 'POST',
  path: '/session/password',
  summary: 'Sign in with a password; sets the session cookie',
  access: 'anyone',
  body: Type.Object({
    login: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
  }),
  response: SessionUser,
})

export const getSignInWays = endpoint({
  method: 'GET',
  path: '/sign-in-ways',
  summary: 'Read how one can sign in here',
  access: 'anyone',
  response: Type.Object({
    password: Type.Boolean(),
    /** The name of the OpenID provider, and where to begin. */
    openid: Nullable(Type.Object({ name: Type.String(), path: Type.String() })),
    /** The providers at which one can, where there are any. */
    providers: Type.Optional(Type.Array(Type.Object({ name: Type.String(), path: Type.String() }))),
  }),
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
