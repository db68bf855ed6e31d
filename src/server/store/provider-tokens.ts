import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

/** Tokens in here are sealed: this room never sees them. */
export type ProviderTokenRow = Selectable<Schema['provider_tokens']>

export const providerTokenOf = statementForOne((db, at: { user: string; provider: string }) =>
  db.selectFrom('provider_tokens').selectAll().where('user_id', '=', at.user).where('provider', '=', at.provider),
)

/** Keeps the token of a user, instead of the one before. */
export async function putProviderToken(tx: Tx, row: ProviderTokenRow): Promise<void> {
  const { user_id: _, provider: __, ...changes } = row
  await tx
    .insertInto('provider_tokens')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(changes))
    .execute()
}

/** Forgets a token that opens nothing any more, unless there is a newer one; and with it what was believed because of it. */
export async function deleteProviderToken(
  tx: Tx,
  { user_id, provider, access_token }: ProviderTokenRow,
): Promise<void> {
  await tx
    .deleteFrom('provider_tokens')
    .where('user_id', '=', user_id)
    .where('provider', '=', provider)
    .where('access_token', '=', access_token)
    .execute()
}

/** What a provider last said of somebody and a project. */
export const grantOf = statementForOne((db, at: { user: string; project: string }) =>
  db.selectFrom('grants').selectAll().where('user_id', '=', at.user).where('project_id', '=', at.project),
)

/** Keeps what it says now. */
export async function putGrant(tx: Tx, row: Selectable<Schema['grants']>): Promise<void> {
  const { level, expires_at, retry_at } = row
  await tx
    .insertInto('grants')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id']).doUpdateSet({ level, expires_at, retry_at }))
    .execute()
}
