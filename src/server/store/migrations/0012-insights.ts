import { sql } from 'kysely'
import { hasRowLocks } from '#server/store/dialect.ts'
import type { Tx } from '#server/store/schema.ts'

/** Facts about runs, kept in the order in which they are read, and what teams decided about tests. */
export async function up(tx: Tx): Promise<void> {
  const postgres = hasRowLocks(tx)
  // In SQLite the rows themselves lie in the order of their key: one tree to write, and one to read.
  const clustered = postgres ? '' : 'without rowid'
  const ms = (column: string) =>
    postgres
      ? `cast(extract(epoch from cast(${column} as timestamptz)) * 1000 as bigint)`
      : `cast(round(unixepoch(${column}, 'subsec') * 1000) as integer)`
  for (const text of [tables(clustered), before(ms)].join(';').split(';')) {
    if (text.trim() !== '') await sql.raw(text).execute(tx)
  }
}

const tables = (clustered: string) => `
create table run_facts (
  project_id text not null, name text not null, started bigint not null, id text not null, branch text not null,
  status text not null, duration bigint not null, credits bigint not null, primary key (project_id, name, started, id)
) ${clustered};
create table job_facts (
  project_id text not null, workflow text not null, started bigint not null, id text not null, name text not null,
  branch text not null, status text not null, duration bigint, credits bigint not null, queued bigint not null,
  resource_class text not null, nodes integer not null, primary key (project_id, workflow, started, id)
) ${clustered};
create table run_days (
  project_id text not null, name text not null, branch text not null, day bigint not null, runs bigint not null,
  successful bigint not null, failed bigint not null, canceled bigint not null, duration bigint not null,
  credits bigint not null, primary key (project_id, name, day, branch)
) ${clustered};
create table cache_uses (
  project_id text not null, day bigint not null, hits bigint not null, misses bigint not null,
  primary key (project_id, day)
);
create table quarantined_tests (
  project_id text not null references projects (id), test_key text not null, classname text not null, name text not null,
  file text not null, reason text not null, created_by text, created_at text not null, primary key (project_id, test_key)
);
create table trace_queue (workflow_id text primary key, attempts integer not null, next_at text not null);
create index trace_queue_due on trace_queue (next_at);
create index test_results_over_time on test_results (test_key, recorded_at)
`

const status = (of: string) => `case ${of}.status when 'timedout' then 'failed' when 'infrastructure_fail' then 'error'
  when 'retried' then 'error' when 'not_run' then 'canceled' else ${of}.status end`

/** What ended before there were facts. */
const before = (ms: (column: string) => string) => `
insert into job_facts
select j.project_id, w.name, ${ms('coalesce(j.started_at, j.stopped_at)')}, j.id, j.name, coalesce(j.branch, ''), ${status('j')},
  case when j.started_at is null then null else ${ms('j.stopped_at')} - ${ms('j.started_at')} end,
  case when j.started_at is null then 0 else (${ms('j.stopped_at')} - ${ms('j.started_at')}) * j.parallelism / 60 end,
  case when j.started_at is null or j.queued_at is null then 0 else ${ms('j.started_at')} - ${ms('j.queued_at')} end,
  j.resource_class, j.parallelism
from jobs j join workflows w on w.id = j.workflow_id join pipelines p on p.id = w.pipeline_id
where p.number > 0 and j.kind = 'build' and j.stopped_at is not null and j.reused_from is null and j.status <> 'not_run'
  and not (j.status = 'canceled' and j.queued_at is null);
insert into run_facts
select w.project_id, w.name, ${ms('w.created_at')}, w.id, coalesce(p.branch, ''), ${status('w')},
  ${ms('w.stopped_at')} - ${ms('w.created_at')},
  coalesce((select sum(f.credits) from jobs j join job_facts f on f.project_id = j.project_id and f.workflow = w.name
    and f.started = ${ms('coalesce(j.started_at, j.stopped_at)')} and f.id = j.id where j.workflow_id = w.id), 0)
from workflows w join pipelines p on p.id = w.pipeline_id where w.stopped_at is not null and p.number > 0
`
