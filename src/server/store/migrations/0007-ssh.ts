import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

const tables = `
create table ssh_keys (
  project_id text not null references projects (id), hostname text not null, fingerprint text not null, public_key text not null,
  private_key text not null, created_at text not null, primary key (project_id, hostname, fingerprint)
);
create table user_ssh_keys (
  id text primary key, user_id text not null references users (id), fingerprint text not null, public_key text not null,
  label text not null, created_at text not null, unique (user_id, fingerprint)
);
create table hosting_keys (user_id text primary key references users (id), value text not null, updated_at text not null);
create table ssh_users (
  job_id text not null references jobs (id), user_id text not null references users (id), created_at text not null,
  primary key (job_id, user_id)
);
create table polls (
  project_id text primary key references projects (id), every_seconds integer not null, next_at text not null, failures integer not null
);
create index polls_next on polls (next_at);
insert into polls (project_id, every_seconds, next_at, failures)
  select id, 60, created_at, 0 from projects where url is not null
`

/** Keys of jobs and of people, who is let into which job, and when repositories elsewhere are looked at. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of tables.split(';')) await sql.raw(statement).execute(tx)
}
