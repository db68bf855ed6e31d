import { sql } from 'kysely'
import { hasRowLocks } from '#server/store/dialect.ts'
import type { Tx } from '#server/store/schema.ts'

/** Attempts at deliveries lie beside each other, in the one order in which they are read: one tree to write instead of three. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements(hasRowLocks(tx) ? '' : 'without rowid')) await sql.raw(statement).execute(tx)
}

const columns = 'delivery_id, id, url, at, took_ms, status_code, error, answer'

const statements = (clustered: string) => [
  'alter table delivery_attempts rename to old_attempts',
  'drop index attempts_of_delivery',
  `create table delivery_attempts (
    delivery_id text not null references deliveries (id) on delete cascade, id text not null, url text not null, at text not null,
    took_ms integer not null, status_code integer, error text, answer text, primary key (delivery_id, id)
  ) ${clustered}`,
  `insert into delivery_attempts (${columns}) select ${columns} from old_attempts`,
  'drop table old_attempts',
]
