import type { Tx } from './schema.ts'
import { statement } from './statement.ts'

/** A page of those who belong to an organization, in the order of their ids. */
export const membersAfter = statement((db, at: { organization: string; after: string; most: number }) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.login', 'users.name', 'members.role', 'members.created_at'])
    .where('members.organization_id', '=', at.organization)
    .where('members.user_id', '>', at.after)
    .orderBy('members.user_id')
    .limit(at.most),
)

/** A page of the organizations that a user belongs to, in the order of their ids. */
export const membershipsAfter = statement((db, at: { user: string; after: string; most: number }) =>
  db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select('members.role')
    .where('members.user_id', '=', at.user)
    .where('organizations.id', '>', at.after)
    .orderBy('organizations.id')
    .limit(at.most),
)

/** A page of all organizations, with what a user is in each. */
export const organizationsAfter = statement((db, at: { user: string; after: string; most: number }) =>
  db
    .selectFrom('organizations')
    .leftJoin('members', (join) =>
      join.onRef('members.organization_id', '=', 'organizations.id').on('members.user_id', '=', at.user),
    )
    .selectAll('organizations')
    .select('members.role')
    .where('organizations.id', '>', at.after)
    .where('organizations.key', '!=', '')
    .orderBy('organizations.id')
    .limit(at.most),
)

export async function countOwners(tx: Tx, organization: string): Promise<number> {
  const { count } = await tx
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function putMember(
  tx: Tx,
  row: { organization_id: string; user_id: string; role: string; created_at: string },
): Promise<void> {
  await tx
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role: row.role }))
    .execute()
}

export async function deleteMember(tx: Tx, organization: string, user: string): Promise<boolean> {
  const query = tx.deleteFrom('members').where('organization_id', '=', organization).where('user_id', '=', user)
  return (await query.returning('user_id').executeTakeFirst()) !== undefined
}
