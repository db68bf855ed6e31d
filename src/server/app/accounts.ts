import type { UserId } from '#core/ids.ts'
import { later } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import {
  countAdmins,
  deleteAccess,
  deleteOtherSessions,
  deleteSession,
  lockAdmins,
  passwordOf,
  putPassword,
  sessionsOf,
  updateUser,
  usersAfter,
} from '#server/store/accounts.ts'
import { insertUser, userById, userByLogin, type UserRow } from '#server/store/people.ts'
import type { Tx } from '#server/store/schema.ts'
import type { App } from './app.ts'
import type { User } from './callers.ts'
import { pageOf } from './lists.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { newSignInKey } from './people.ts'
import type { World } from './world.ts'

/** What a user is made of. */
export interface AccountForm {
  readonly login: string
  readonly name?: string
  readonly email?: string | null
  readonly admin?: boolean
}

/** Makes a user in a transaction; a login is told apart without regard to case. */
export async function insertAccount(world: World, tx: Tx, form: AccountForm): Promise<UserRow> {
  if (await userByLogin(tx, form.login))
    throw new Refusal('conflict', `Cannot make user ${form.login}: there is one of that login`)
  const row: UserRow = {
    id: world.newId() as UserId,
    login: form.login,
    key: form.login.toLowerCase(),
    name: form.name ?? form.login,
    avatar_url: null,
    email: form.email ?? null,
    admin: form.admin === true ? 1 : 0,
    created_at: world.now(),
  }
  await insertUser(tx, row)
  const kept = await userByLogin(tx, form.login)
  if (kept?.id !== row.id) throw new Refusal('conflict', `Cannot make user ${form.login}: there is one of that login`)
  return row
}

export const createAccount = (world: World, form: AccountForm): Promise<UserRow> =>
  world.db.transaction().execute((tx) => insertAccount(world, tx, form))

/** A link that signs a user in once, within a day; the key stands behind the #, which no server and no log sees. */
export async function signInLink(world: World, user: UserRow) {
  const expiresAt = later(world.now(), 24 * 60 * 60 * 1000)
  return { url: `${world.terms.baseUrl}/sign-in#key=${await newSignInKey(world, user)}`, expiresAt }
}

export const accountOf = async (world: World, id: string): Promise<UserRow> =>
  orNotFound(await userById(world.db, { id: id.toLowerCase() }), 'User')

export const listAccounts = (app: App, token: string | undefined) =>
  pageOf(app, 'users', token, (after, most) => usersAfter(app.world.db, { after, most }))

export async function changeAccount(
  { world, callers }: App,
  id: string,
  changes: Omit<Partial<AccountForm>, 'login'>,
): Promise<UserRow> {
  const user = await accountOf(world, id)
  const to = {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.email !== undefined && { email: changes.email }),
    ...(changes.admin !== undefined && { admin: changes.admin ? (1 as const) : (0 as const) }),
  }
  await world.db.transaction().execute(async (tx) => {
    if (to.admin === 0) await lockAdmins(tx)
    await updateUser(tx, user.id, to)
    if ((await countAdmins(tx)) === 0)
      throw new Refusal('conflict', 'Cannot take the last administrator away: somebody must be one')
  })
  callers.forget()
  return { ...user, ...to }
}

/** Takes everything away by which a user can come in. */
export async function revokeAccess({ world, callers }: App, id: string): Promise<void> {
  const user = await accountOf(world, id)
  await world.db.transaction().execute((tx) => deleteAccess(tx, user.id))
  callers.forget()
}

/** Sets a password. Other browsers are signed out: whoever changes it may have a reason. */
export async function setPassword(
  { world, callers }: App,
  user: User,
  password: string,
  current: string | undefined,
): Promise<void> {
  const before = await passwordOf(world.db, { user: user.id })
  if (before && !(await isPassword(current ?? '', before.hash)))
    throw new Refusal('forbidden', 'Cannot set the password as the current one must be given: it is another')
  const hash = await hashPassword(password)
  await world.db.transaction().execute(async (tx) => {
    await putPassword(tx, { user_id: user.id, hash, updated_at: world.now() })
    await deleteOtherSessions(tx, user.id, user.token)
  })
  callers.forget()
}

export const listSessions = ({ world }: App, user: User) => sessionsOf(world.db, user.id)

export async function endSession({ world, callers }: App, user: User, id: string): Promise<void> {
  const gone = await world.db.transaction().execute((tx) => deleteSession(tx, user.id, id.toLowerCase()))
  orNotFound(gone || undefined, 'Session')
  callers.forget()
}
