import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Keys of projects that are gone, which their providers are yet to forget; and when a provider may be asked again what somebody may do. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  `create table unwanted_keys (
    id text primary key, provider text not null, url text not null, kind text not null, user_id text, token text,
    public_key text not null, remote_id text, attempts integer not null, next_at text not null, taken_until text
  )`,
  'create index unwanted_keys_due on unwanted_keys (next_at)',
  'alter table grants add column retry_at text',
]
