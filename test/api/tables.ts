import { sql } from 'kysely'
import type { World } from '#server/app/world.ts'

/** Every table that a request can change; logs and texts come with them. */
const names = [
  'users',
  'organizations',
  'members',
  'tokens',
  'projects',
  'follows',
  'refs',
  'pipelines',
  'workflows',
  'jobs',
  'webhooks',
  'deliveries',
  'variables',
  'contexts',
  'context_variables',
  'context_restrictions',
  'passwords',
  'identities',
  'checkout_keys',
  'ssh_keys',
  'user_ssh_keys',
  'hosting_keys',
  'ssh_users',
  'polls',
  'agents',
] as const

const counts = sql.raw(names.map((name) => `(select count(*) from ${name}) as ${name}`).join(', '))

/** How many rows each table has. */
export async function tablesOf({ db }: World): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await sql<Record<string, unknown>>`select ${counts}`.execute(db)
  return { ...rows[0] }
}
