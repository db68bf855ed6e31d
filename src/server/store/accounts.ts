import { lock } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import type { UserRow } from './people.ts'
import { statement, statementForOne } from './statement.ts'

/** A page of all users, in the order of their ids. */
export const usersAfter = statement((db, at: { after: string; most: number }) =>
  db.selectFrom('users').selectAll().where('id', '>', at.after).orderBy('id').limit(at.most),
)

export async function updateUser(
  tx: Tx,
  id: string,
  to: Partial<Pick<UserRow, 'name' | 'email' | 'admin'>>,
): Promise<void> {
  if (Object.keys(to).length > 0) await tx.updateTable('users').set(to).where('id', '=', id).execute()
}

/** Holds every administrator: of two who take each other's right away at once, one waits and finds the other gone. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx.selectFrom('users').select('id').where('admin', '=', 1).orderBy('id').$call(lock(tx)).execute()
}

export async function countAdmins(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('admin', '=', 1)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Users with that address, however it is written. */
export const usersByEmail = (db: Db, email: string): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .limit(2)
    .execute()

export const passwordOf = statementForOne((db, { user }: { user: string }) =>
  db.selectFrom('passwords').select('hash').where('user_id', '=', user),
)

export async function putPassword(tx: Tx, row: { user_id: string; hash: string; updated_at: string }): Promise<void> {
  await tx
    .insertInto('passwords')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash: row.hash, updated_at: row.updated_at }))
    .execute()
}

export const identityOf = statementForOne((db, at: { issuer: string; subject: string }) =>
  db.selectFrom('identities').select('user_id').where('issuer', '=', at.issuer).where('subject', '=', at.subject),
)

export async function insertIdentity(
  tx: Tx,
  row: { issuer: string; subject: string; user_id: string; created_at: string },
): Promise<void> {
  await tx
    .insertInto('identities')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The sessions of a user, newest first. */
export const sessionsOf = (db: Db, user: string) =>
  db
    .selectFrom('tokens')
    .select(['id', 'created_at', 'expires_at'])
    .where('user_id', '=', user)
    .where('kind', '=', 'session')
    .orderBy('id', 'desc')
    .execute()

export async function deleteSession(tx: Tx, user: string, id: string): Promise<boolean> {
  const query = tx.deleteFrom('tokens').where('id', '=', id).where('user_id', '=', user).where('kind', '=', 'session')
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Other sessions of a user than one: they end when the password is changed. */
export async function deleteOtherSessions(tx: Tx, user: string, but: string): Promise<void> {
  await tx
    .deleteFrom('tokens')
    .where('user_id', '=', user)
    .where('kind', '=', 'session')
    .where('id', '!=', but)
    .execute()
}

/** Everything by which a user can come in. */
export async function deleteAccess(tx: Tx, user: string): Promise<void> {
  await tx.deleteFrom('tokens').where('user_id', '=', user).execute()
  await tx.deleteFrom('passwords').where('user_id', '=', user).execute()
  await tx.deleteFrom('identities').where('user_id', '=', user).execute()
}
