import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What is kept of the files of jobs: rows that name blobs, each with the time when it may go. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of tables.split(';')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx)
  }
}

const tables = `
create table caches (
  id text primary key, project_id text not null references projects (id), key text not null, job_id text not null,
  size bigint not null, created_at text not null, expires_at text not null, unique (project_id, key)
);
create index caches_newest on caches (project_id, id);
create index caches_by_end on caches (expires_at);
create table layers (
  id text primary key, job_id text not null references jobs (id), node integer not null, step integer not null,
  size bigint not null, created_at text not null, expires_at text not null, unique (job_id, node, step)
);
create index layers_by_end on layers (expires_at);
create table artifacts (
  id text primary key, job_id text not null references jobs (id), node integer not null, path text not null,
  size bigint not null, created_at text not null, expires_at text not null, unique (job_id, node, path)
);
create index artifacts_of_job on artifacts (job_id, id);
create index artifacts_by_end on artifacts (expires_at)
`
