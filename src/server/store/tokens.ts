import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type TokenRow = Selectable<Schema['tokens']>

/** Tokens are random, so a plain hash tells nothing about them; what is stored opens nothing. */
export const tokenByHash = statementForOne((db, { hash }: { hash: string }) =>
  db.selectFrom('tokens').selectAll().where('hash', '=', hash),
)

export async function insertToken(tx: Tx, row: TokenRow): Promise<void> {
  await tx.insertInto('tokens').values(row).execute()
}

/** Takes a token that may be used once: the second taker gets nothing. */
export async function takeToken(tx: Tx, hash: string, kind: string): Promise<TokenRow | undefined> {
  return tx.deleteFrom('tokens').where('hash', '=', hash).where('kind', '=', kind).returningAll().executeTakeFirst()
}

export async function deleteToken(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.deleteFrom('tokens').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

export async function deleteExpiredTokens(tx: Tx, now: string): Promise<void> {
  await tx.deleteFrom('tokens').where('expires_at', '<', now).execute()
}

/** The tokens that belong to a user or to a project, oldest first. */
export const tokensOf = (db: Db, kind: 'user' | 'project', owner: string): Promise<TokenRow[]> =>
  db
    .selectFrom('tokens')
    .selectAll()
    .where('kind', '=', kind)
    .where(kind === 'user' ? 'user_id' : 'project_id', '=', owner)
    .orderBy('id')
    .execute()

export const agentTokens = (db: Db): Promise<TokenRow[]> =>
  db.selectFrom('tokens').selectAll().where('kind', '=', 'agent').execute()
