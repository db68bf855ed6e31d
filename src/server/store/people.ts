import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type UserRow = Selectable<Schema['users']>
export type OrganizationRow = Selectable<Schema['organizations']>
export type MemberRow = Selectable<Schema['members']>

export const userById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('users').selectAll().where('id', '=', id),
)

export const userByLogin = (db: Db, login: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('key', '=', login.toLowerCase()).executeTakeFirst()

/** Leaves a user of the same login as it is. */
export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

export const organizationById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('organizations').selectAll().where('id', '=', id).where('key', '!=', ''),
)

/** Holds an organization: whoever else wants to decide something about all of it waits. */
export const lockOrganization = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('organizations').select('id').where('id', '=', id).$call(lock(db)),
)

const byName = statementForOne((db, at: { provider: string; key: string }) =>
  db.selectFrom('organizations').selectAll().where('provider', '=', at.provider).where('key', '=', at.key),
)

export const organizationByName = (db: Db, provider: string, name: string): Promise<OrganizationRow | undefined> =>
  byName(db, { provider, key: name.toLowerCase() })

/** Whether it was made; false when there is one of that name, of somebody who was faster. */
export async function insertOrganization(tx: Tx, row: OrganizationRow): Promise<boolean> {
  const query = tx
    .insertInto('organizations')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export async function insertMember(tx: Tx, row: MemberRow): Promise<void> {
  await tx
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What a user is in an organization, if anything. */
export const roleOf = statementForOne((db, at: { user: string; organization: string }) =>
  db.selectFrom('members').select('role').where('user_id', '=', at.user).where('organization_id', '=', at.organization),
)

/** The organizations a user belongs to. */
export const organizationsOf = statement((db, { user }: { user: string }) =>
  db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .selectAll('organizations')
    .where('members.user_id', '=', user)
    .orderBy('organizations.key'),
)
