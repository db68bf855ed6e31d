import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

/** Private keys in these tables are sealed: this room never sees what they say. */
export type CheckoutKeyRow = Selectable<Schema['checkout_keys']>
export type SshKeyRow = Selectable<Schema['ssh_keys']>
export type UserSshKeyRow = Selectable<Schema['user_ssh_keys']>

/** Oldest first. */
export const checkoutKeysOf = statement((db, { project }: { project: string }) =>
  db
    .selectFrom('checkout_keys')
    .selectAll()
    .where('project_id', '=', project)
    .orderBy('created_at')
    .orderBy('fingerprint'),
)

export async function insertCheckoutKey(tx: Tx, row: CheckoutKeyRow): Promise<void> {
  await tx.insertInto('checkout_keys').values(row).execute()
}

/** Makes one key of a project the one that is used, and no other. */
export async function preferCheckoutKey(tx: Tx, project: string, fingerprint: string): Promise<void> {
  const keys = tx.updateTable('checkout_keys').where('project_id', '=', project)
  await keys.set({ preferred: 0 }).where('fingerprint', '!=', fingerprint).execute()
  await keys.set({ preferred: 1 }).where('fingerprint', '=', fingerprint).execute()
}

export async function deleteCheckoutKey(tx: Tx, project: string, fingerprint: string): Promise<void> {
  await tx
    .deleteFrom('checkout_keys')
    .where('project_id', '=', project)
    .where('fingerprint', '=', fingerprint)
    .execute()
}

/** The keys that jobs of a project get, by host. */
export const sshKeysOf = statement((db, { project }: { project: string }) =>
  db.selectFrom('ssh_keys').selectAll().where('project_id', '=', project).orderBy('hostname').orderBy('fingerprint'),
)

/** The same key for the same host is replaced. */
export async function putSshKey(tx: Tx, row: SshKeyRow): Promise<void> {
  await tx
    .insertInto('ssh_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'hostname', 'fingerprint']).doUpdateSet({ private_key: row.private_key }),
    )
    .execute()
}

export async function deleteSshKey(tx: Tx, project: string, hostname: string, fingerprint: string): Promise<void> {
  await tx
    .deleteFrom('ssh_keys')
    .where('project_id', '=', project)
    .where('hostname', '=', hostname)
    .where('fingerprint', '=', fingerprint)
    .execute()
}

/** Keeps the key with which a user deploys to the hosting service. */
export async function putHostingKey(tx: Tx, user: string, value: string, at: string): Promise<void> {
  await tx
    .insertInto('hosting_keys')
    .values({ user_id: user, value, updated_at: at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ value, updated_at: at }))
    .execute()
}

export async function deleteHostingKey(tx: Tx, user: string): Promise<void> {
  await tx.deleteFrom('hosting_keys').where('user_id', '=', user).execute()
}

export const hostingKeyOf = statementForOne((db, { user }: { user: string }) =>
  db.selectFrom('hosting_keys').select('value').where('user_id', '=', user),
)
