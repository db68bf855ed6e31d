import type { UserSshKeyRow } from './keys.ts'
import type { Tx } from './schema.ts'
import { statement } from './statement.ts'

/** The public keys of a user, oldest first. */
export const userSshKeysOf = statement((db, { user }: { user: string }) =>
  db.selectFrom('user_ssh_keys').selectAll().where('user_id', '=', user).orderBy('id'),
)

/** Whether it was made; false when the user has this key already. */
export async function insertUserSshKey(tx: Tx, row: UserSshKeyRow): Promise<boolean> {
  const query = tx
    .insertInto('user_ssh_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'fingerprint']).doNothing())
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Whether the user had it. */
export async function deleteUserSshKey(tx: Tx, user: string, id: string): Promise<boolean> {
  const query = tx.deleteFrom('user_ssh_keys').where('user_id', '=', user).where('id', '=', id)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Lets a user into a job. */
export async function insertSshUser(tx: Tx, job: string, user: string, at: string): Promise<void> {
  await tx
    .insertInto('ssh_users')
    .values({ job_id: job, user_id: user, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lets those who may come into one job into another. */
export async function copySshUsers(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .insertInto('ssh_users')
    .columns(['job_id', 'user_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('ssh_users')
        .select([eb.val(to).as('job_id'), 'user_id', 'created_at'])
        .where('job_id', '=', from),
    )
    .execute()
}

/** Who may come into a job. */
export const sshUsersOf = statement((db, { job }: { job: string }) =>
  db
    .selectFrom('ssh_users')
    .innerJoin('users', 'users.id', 'ssh_users.user_id')
    .selectAll('users')
    .where('ssh_users.job_id', '=', job)
    .orderBy('ssh_users.created_at'),
)

/** The public keys that open a job: those that its people have now. */
export const keysThatOpen = statement((db, { job }: { job: string }) =>
  db
    .selectFrom('ssh_users')
    .innerJoin('user_ssh_keys', 'user_ssh_keys.user_id', 'ssh_users.user_id')
    .innerJoin('users', 'users.id', 'ssh_users.user_id')
    .select(['users.login', 'user_ssh_keys.public_key'])
    .where('ssh_users.job_id', '=', job)
    .orderBy('user_ssh_keys.id'),
)
