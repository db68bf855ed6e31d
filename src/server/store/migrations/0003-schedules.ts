import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Schedules of projects and of branches, lines before serial groups, and what a push was made on top of. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(tx)
}

const statements = `
create table schedules (
  id text primary key, project_id text not null references projects (id) on delete cascade, name text not null, description text,
  timetable text not null, parameters text not null, actor_id text, created_at text not null, updated_at text not null, next_at text
);
create index schedules_of_project on schedules (project_id, id);
create index schedules_due on schedules (next_at) where next_at is not null;
create table branch_schedules (
  id text primary key, project_id text not null references projects (id) on delete cascade, branch text not null, workflow text not null,
  cron text not null, next_at text
);
create index branch_schedules_of_branch on branch_schedules (project_id, branch);
create index branch_schedules_due on branch_schedules (next_at) where next_at is not null;
create table serial_places (
  job_id text primary key, workflow_id text not null, project_id text not null references projects (id) on delete cascade,
  organization_id text not null, serial_key text not null, pipeline_number integer not null, arrived text not null, since text not null, held_at text
);
create unique index serial_holders on serial_places (organization_id, serial_key) where held_at is not null;
create index serial_lines on serial_places (organization_id, serial_key, arrived);
create index serial_waiting on serial_places (since) where held_at is null;
create index pipelines_in_setup on pipelines (id) where state = 'setup-pending';
alter table jobs add column serial_key text;
alter table pipelines add column base_revision text
`
