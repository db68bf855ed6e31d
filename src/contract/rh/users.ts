import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, Page, Time, Uuid } from '#contract/endpoint.ts'

/** How somebody is called; as an address shows it. */
export const Login = Type.String({ pattern: '^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$' })

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Email = Type.String({ minLength: 3, maxLength: 320 })

/** A password as somebody chooses it; what matters is its length. */
const NewPassword = Type.String({ minLength: 10, maxLength: 1000 })

/** A link that signs in once, within a day. */
export const SignInLink = Type.Object({ sign_in_url: Type.String(), expires_at: Time })

/** A user as an administrator sees them. */
export const Account = Type.Object({
  id: Uuid,
  login: Type.String(),
  name: Type.String(),
  email: Nullable(Type.String()),
  admin: Type.Boolean(),
  created_at: Time,
})
export type Account = Static<typeof Account>

/** A browser that is signed in as the caller. */
export const OpenSession = Type.Object({ id: Uuid, created_at: Time, expires_at: Time, current: Type.Boolean() })
export type OpenSession = Static<typeof OpenSession>

const UserParams = Type.Object({ id: Uuid })

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the users of this installation',
  access: 'admin',
  query: Type.Object({ 'page-token': Type.Optional(Type.String()) }),
  response: Page(Account),
})

export const createUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: 'Make a user, and a link that signs them in once',
  access: 'admin',
  status: 201,
  body: Type.Object({
    login: Login,
    name: Type.Optional(Name),
    email: Type.Optional(Email),
    admin: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({ user: Account, ...SignInLink.properties }),
})

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/:id',
  summary: 'Change what is given of a user',
  access: 'admin',
  params: UserParams,
  body: Type.Object({
    name: Type.Optional(Name),
    email: Type.Optional(Nullable(Email)),
    admin: Type.Optional(Type.Boolean()),
  }),
  response: Account,
})

export const createSignInLink = endpoint({
  method: 'POST',
  path: '/users/:id/sign-in-link',
  summary: 'Make a link that signs a user in once',
  access: 'admin',
  status: 201,
  params: UserParams,
  response: SignInLink,
})

export const revokeAccess = endpoint({
  method: 'DELETE',
  path: '/users/:id/access',
  summary: 'Take everything away by which a user can come in: tokens, sessions, links, password, identities',
  access: 'admin',
  params: UserParams,
  response: Message,
})

export const setPassword = endpoint({
  method: 'PUT',
  path: '/password',
  summary: 'Set the password of the caller; the current one is asked for where there is one',
  access: 'user',
  body: Type.Object({ password: NewPassword, current: Type.Optional(Type.String({ maxLength: 1000 })) }),
  response: Message,
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'List the browsers that are signed in as the caller',
  access: 'user',
  response: Type.Object({ items: Type.Array(OpenSession) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  summary: 'Sign a browser out',
  access: 'user',
  params: UserParams,
  response: Message,
})
