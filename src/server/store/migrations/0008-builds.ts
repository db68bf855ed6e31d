import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What generation 1.1 needs to list builds in the time that reading them takes, and to tell of those that ended without running. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  'alter table jobs add column dont_build text',
  'alter table jobs add column edition integer not null default 0',
  'update jobs set edition = (select count(*) from jobs again where again.retry_of = jobs.id)',
  // The build before one on the same branch; builds by how they stand, of a project and of a branch.
  'create index jobs_of_name on jobs (project_id, branch, name, number)',
  'create index jobs_by_status on jobs (project_id, status, number)',
  'create index jobs_of_branch_by_status on jobs (project_id, branch, status, number)',
  `create table build_texts (
    job_id text primary key references jobs (id), stamp text not null, edition integer not null,
    cut integer not null, text text not null
  )`,
  `create table notified (pipeline_id text primary key references pipelines (id), urls text not null)`,
  `create table notices (
    id text primary key, job_id text not null references jobs (id), url text not null, body text not null, state text not null,
    attempts integer not null, next_at text not null, taken_until text, status_code integer, error text,
    created_at text not null, finished_at text, unique (job_id, url)
  )`,
  `create index notices_due on notices (next_at) where state = 'pending'`,
]
