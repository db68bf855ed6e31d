import { orNotFound } from '#kit/refusal.ts'
import { deleteToken, insertToken, tokensOf, type TokenRow } from '#server/store/tokens.ts'
import type { App } from './app.ts'
import { tokenRow } from './people.ts'
import { hashToken, newToken } from './seal.ts'

/** Whose tokens are meant. */
export interface TokenOwner {
  readonly kind: 'user' | 'project'
  readonly id: string
}

/** A token as it may be shown: whole only to whoever just made it. */
export interface ShownToken {
  readonly id: string
  readonly token: string
  readonly label: string
  readonly scope: string
  readonly createdAt: string
}

const shown = (row: TokenRow, token: string): ShownToken => ({
  id: row.id,
  token,
  label: row.label,
  scope: row.scope,
  createdAt: row.created_at,
})

export async function listTokens({ world }: App, owner: TokenOwner): Promise<readonly ShownToken[]> {
  return (await tokensOf(world.db, owner.kind, owner.id)).map((row) => shown(row, `xxxx${row.hint}`))
}

export async function makeToken({ world }: App, owner: TokenOwner, label: string, scope = 'all'): Promise<ShownToken> {
  const token = newToken(owner.kind)
  const row = tokenRow(world, token, {
    kind: owner.kind,
    label,
    scope,
    [owner.kind === 'user' ? 'user_id' : 'project_id']: owner.id,
  })
  await world.db.transaction().execute((tx) => insertToken(tx, row))
  return shown(row, token)
}

/** Revokes a token, named by its id or by itself. */
export async function revokeToken({ world, callers }: App, owner: TokenOwner, name: string): Promise<void> {
  const hash = hashToken(name)
  const row = (await tokensOf(world.db, owner.kind, owner.id)).find((token) => token.id === name || token.hash === hash)
  await world.db.transaction().execute((tx) => deleteToken(tx, orNotFound(row, 'Token').id))
  callers.forget()
}
