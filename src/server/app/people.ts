import type { TokenId, UserId } from '#core/ids.ts'
import { later } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import { insertUser, userById, userByLogin, type UserRow } from '#server/store/people.ts'
import type { Tx } from '#server/store/schema.ts'
import { deleteToken, insertToken, takeToken, tokenByHash, type TokenRow, tokensOf } from '#server/store/tokens.ts'
import { hashToken, newToken } from './seal.ts'
import type { World } from './world.ts'

/** What the token is called that the operator gives the first user. */
const firstToken = 'first token'

/** Makes sure that there is a first user, that the token opens it, and says who it is. The one that was given before opens nothing any more. */
export async function ensureAdmin(world: World, login: string, token: string): Promise<UserRow> {
  return world.db.transaction().execute(async (tx) => {
    const user = (await userByLogin(tx, login)) ?? (await makeUser(world, tx, login))
    const known = await tokenByHash(tx, { hash: hashToken(token) })
    for (const { id, label, hash } of await tokensOf(tx, 'user', user.id))
      if (label === firstToken && hash !== known?.hash) await deleteToken(tx, id)
    if (!known) await insertToken(tx, tokenRow(world, token, { kind: 'user', user_id: user.id, label: firstToken }))
    return user
  })
}

async function makeUser(world: World, tx: Tx, login: string): Promise<UserRow> {
  const row: UserRow = {
    id: world.newId() as UserId,
    login,
    key: login.toLowerCase(),
    name: login,
    avatar_url: null,
    email: null,
    admin: 1,
    created_at: world.now(),
  }
  await insertUser(tx, row)
  // Another server on the same database may have been first.
  return (await userByLogin(tx, login)) ?? row
}

/** A row for a token; only its hash is in it. */
export function tokenRow(world: World, token: string, about: Partial<TokenRow> & Pick<TokenRow, 'kind'>): TokenRow {
  return {
    id: world.newId() as TokenId,
    hash: hashToken(token),
    user_id: null,
    project_id: null,
    agent_id: null,
    scope: 'all',
    label: '',
    hint: token.slice(-4),
    created_at: world.now(),
    expires_at: null,
    ...about,
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** A key that signs a user in once, within a day. */
export async function newSignInKey(world: World, user: UserRow): Promise<string> {
  const key = newToken('sign-in')
  const expires_at = later(world.now(), dayMs)
  await world.db
    .transaction()
    .execute((tx) => insertToken(tx, tokenRow(world, key, { kind: 'sign-in', user_id: user.id, expires_at })))
  return key
}

/** Uses up a key and opens a session of thirty days; the second user of the same key gets nothing. */
export async function signIn(world: World, key: string): Promise<{ readonly user: UserRow; readonly session: string }> {
  const signedIn = await world.db.transaction().execute(async (tx) => {
    const taken = await takeToken(tx, hashToken(key), 'sign-in')
    const owner =
      taken?.user_id == null || (taken.expires_at ?? '') < world.now()
        ? undefined
        : await userById(tx, { id: taken.user_id })
    return owner && { user: owner, session: await openSession(world, tx, owner) }
  })
  if (!signedIn) throw new Refusal('unauthenticated', 'This sign-in link was used before or is too old.')
  return signedIn
}

/** Opens a session of thirty days for somebody who has proven who they are; gives the token of its cookie. */
export async function openSession(world: World, tx: Tx, user: UserRow): Promise<string> {
  const session = newToken('session')
  const expires_at = later(world.now(), 30 * dayMs)
  await insertToken(tx, tokenRow(world, session, { kind: 'session', user_id: user.id, expires_at }))
  return session
}

/** Ends a session. */
export async function signOut(world: World, token: TokenId): Promise<void> {
  await world.db.transaction().execute((tx) => deleteToken(tx, token))
}
