import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What goes out: a lane for each receiver, a record of every attempt, and messages to people. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  `create table lanes (
    id text primary key, kind text not null, subject text not null, origin text not null, next_at text not null, taken_until text
  )`,
  'create index lanes_due on lanes (next_at)',
  // What waited before there were lanes; their true origin is known from the next delivery on.
  `insert into lanes (id, kind, subject, origin, next_at)
    select 'webhook:' || webhook_id, 'webhook', webhook_id, webhook_id, min(next_at) from deliveries where state = 'pending' group by webhook_id`,
  `insert into lanes (id, kind, subject, origin, next_at)
    select 'notice:' || url, 'notice', url, url, min(next_at) from notices where state = 'pending' group by url`,
  'drop index deliveries_due',
  'drop index notices_due',
  `create index deliveries_of_lane on deliveries (webhook_id, next_at, id) where state = 'pending'`,
  'create index deliveries_of_webhook on deliveries (webhook_id, id)',
  'create index deliveries_finished on deliveries (finished_at) where finished_at is not null',
  `create index notices_of_lane on notices (url, next_at, id) where state = 'pending'`,
  'create index notices_finished on notices (finished_at) where finished_at is not null',
  `create table delivery_attempts (
    id text primary key, delivery_id text not null references deliveries (id) on delete cascade, url text not null, at text not null,
    took_ms integer not null, status_code integer, error text, answer text
  )`,
  'create index attempts_of_delivery on delivery_attempts (delivery_id, id)',
  `create table messages (
    id text primary key, kind text not null, subject text not null, event_id text not null, title text not null, body text not null,
    state text not null, attempts integer not null, next_at text not null, status_code integer, error text, created_at text not null,
    finished_at text, unique (event_id, kind, subject)
  )`,
  `create index messages_of_lane on messages (kind, subject, next_at, id) where state = 'pending'`,
  'create index messages_finished on messages (finished_at) where finished_at is not null',
  `create index messages_of_reader on messages (subject, id) where kind = 'browser'`,
  `create table notification_preferences (
    user_id text primary key references users (id), email text not null, browser text not null, updated_at text not null
  )`,
  'create index follows_of_project on follows (project_id, user_id)',
  `create table chats (
    project_id text primary key references projects (id), url text not null, wish text not null, created_at text not null, updated_at text not null
  )`,
]
