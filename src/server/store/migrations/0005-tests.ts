import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Test results: one row for each test of a job, and one for each step that brought some. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of tables.split(';')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx)
  }
}

const tables = `
create table test_reports (
  job_id text not null references jobs (id), node integer not null, step integer not null, project_id text not null,
  workflow_id text not null, job_name text not null, branch text, batches integer not null, tests bigint not null,
  failures bigint not null, bytes bigint not null, problems text not null, recorded_at text not null,
  primary key (job_id, node, step)
);
create index test_reports_of_job_name on test_reports (project_id, job_name, recorded_at);
create index test_reports_of_branch on test_reports (project_id, job_name, branch, recorded_at);
create table test_results (
  job_id text not null, node integer not null, step integer not null, position bigint not null, project_id text not null,
  workflow_id text not null, branch text, revision text not null, test_key text not null, classname text not null,
  name text not null, file text not null, source text not null, result text not null, message text not null,
  run_time real not null, recorded_at text not null, primary key (job_id, node, step, position)
);
create index test_results_of_test on test_results (test_key, revision, recorded_at);
create index test_results_failed on test_results (project_id, recorded_at) where result in ('failure', 'error');
alter table workflows add column only_failed_tests integer not null default 0
`
