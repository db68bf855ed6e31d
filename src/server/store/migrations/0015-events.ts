import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Lanes are taken, not what waits in them; and the keys that providers are to let in. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  'alter table deliveries drop column taken_until',
  'alter table notices drop column taken_until',
  `create table key_registrations (
    project_id text not null references projects (id), fingerprint text not null, provider text not null, kind text not null,
    user_id text, public_key text not null, wanted integer not null, remote_id text, version integer not null, state text not null,
    attempts integer not null, next_at text not null, taken_until text, error text, updated_at text not null,
    primary key (project_id, fingerprint)
  )`,
  `create index key_registrations_due on key_registrations (next_at) where state = 'pending'`,
]
