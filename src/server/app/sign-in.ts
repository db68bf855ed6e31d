import { Refusal } from '#kit/refusal.ts'
import { passwordOf } from '#server/store/accounts.ts'
import { userByLogin, type UserRow } from '#server/store/people.ts'
import type { App } from './app.ts'
import { isPassword } from './passwords.ts'
import { openSession } from './people.ts'

/** A browser that was let in. */
export interface SignedIn {
  readonly user: UserRow
  readonly session: string
}

/** Opens a session for whoever knows the password. Says the same, after the same time, whether login or password is wrong. */
export async function signInWithPassword(
  { world, signIns }: App,
  login: string,
  password: string,
  address: string,
): Promise<SignedIn> {
  const now = Date.parse(world.now())
  for (const taken of [signIns.login.take(login.toLowerCase(), now), signIns.address.take(address, now)]) {
    if (!taken.ok) throw new Refusal('throttled', 'Too many attempts to sign in.', { retry_after: taken.wait })
  }
  const user = await userByLogin(world.db, login)
  const kept = user && (await passwordOf(world.db, { user: user.id }))
  const isRight = await isPassword(password, kept?.hash)
  if (!user || !isRight) throw new Refusal('unauthenticated', 'Login or password is wrong.')
  const session = await world.db.transaction().execute((tx) => openSession(world, tx, user))
  return { user, session }
}
