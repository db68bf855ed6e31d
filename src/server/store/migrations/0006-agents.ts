import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Jobs of several nodes, what jobs ask of agents and agents offer, a queue that is fair to projects, and limits. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements.split(';')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx)
  }
}

const statements = `
alter table jobs add column parallelism integer not null default 1;
alter table jobs add column executor text not null default 'machine';
create table nodes (
  job_id text not null references jobs (id), node integer not null, status text not null, started_at text, stopped_at text,
  reason text, primary key (job_id, node)
);
alter table queue add column project_id text not null default '';
alter table queue add column demand text not null default '';
alter table queue add column turn bigint not null default 0;
update queue set project_id = (select project_id from jobs where jobs.id = queue.job_id), demand = 'machine ' || resource_class;
drop index queue_order;
create index queue_order on queue (turn, sequence);
create index queue_of_project on queue (project_id, turn);
create index queue_by_demand on queue (demand, turn, sequence);
alter table leases add column turn bigint not null default 0;
create index leases_of_project on leases (project_id);
create index leases_by_turn on leases (turn);
alter table agents add column executors text not null default '["docker","machine"]';
alter table agents add column labels text not null default '[]';
alter table agents add column mode text not null default 'working';
alter table agents add column organization_id text;
create table limits (
  subject_id text primary key, subject text not null, most_running integer, most_minutes integer
)
`
