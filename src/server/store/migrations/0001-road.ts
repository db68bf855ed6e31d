import { sql } from 'kysely'
import { bytesType } from '#server/store/dialect.ts'
import type { Tx } from '#server/store/schema.ts'

/** Everything that one push needs to travel through the whole house. */
export async function up(tx: Tx): Promise<void> {
  const statements = tables.replaceAll('BYTES', bytesType(tx) as string).split(';')
  for (const statement of statements) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx)
  }
}

const tables = `
create table users (
  id text primary key, login text not null, key text not null unique, name text not null,
  avatar_url text, email text, admin integer not null, created_at text not null
);
create table organizations (
  id text primary key, provider text not null, name text not null, key text not null, created_at text not null,
  unique (provider, key)
);
create table members (
  organization_id text not null references organizations (id), user_id text not null references users (id),
  role text not null, created_at text not null, primary key (organization_id, user_id)
);
create index members_of_user on members (user_id);
create table projects (
  id text primary key, organization_id text not null references organizations (id), provider text not null,
  organization text not null, name text not null, key text not null, slug text not null unique, default_branch text not null, url text,
  public integer not null, last_pipeline bigint not null, last_job bigint not null, settings text not null, created_at text not null
);
create index projects_of_organization on projects (organization_id);
create table agents (
  id text primary key, name text not null, instance text, version text not null, slots integer not null,
  resource_classes text not null, created_at text not null, seen_at text
);
create table tokens (
  id text primary key, hash text not null unique, kind text not null, user_id text references users (id),
  project_id text references projects (id), agent_id text references agents (id), scope text not null, label text not null,
  hint text not null, created_at text not null, expires_at text
);
create table follows (
  user_id text not null references users (id), project_id text not null references projects (id), created_at text not null,
  primary key (user_id, project_id)
);
create table refs (
  project_id text not null references projects (id), name text not null, revision text not null, updated_at text not null,
  primary key (project_id, name)
);
create table open_pushes (
  id text primary key, project_id text not null references projects (id), actor_id text, since text not null
);
create table texts (hash text primary key, text text not null);
create table revisions (
  project_id text not null references projects (id), revision text not null, details text not null,
  config_path text, config_hash text, created_at text not null, primary key (project_id, revision)
);
create table pipelines (
  id text primary key, project_id text not null references projects (id), number bigint not null, state text not null,
  errors text not null, trigger_type text not null, actor_id text, received_at text not null, branch text, tag text,
  revision text not null, parameters text not null, options text not null, config_hash text, compiled_hash text,
  created_at text not null, updated_at text not null, unique (project_id, number)
);
create index pipelines_of_branch on pipelines (project_id, branch, number);
create index pipelines_open on pipelines (id) where state = 'pending';
create table workflows (
  id text primary key, pipeline_id text not null references pipelines (id), project_id text not null, name text not null,
  status text not null, created_at text not null, stopped_at text, started_by text, canceled_by text, errored_by text,
  rerun_of text, root_id text not null, reruns integer not null
);
create index workflows_of_pipeline on workflows (pipeline_id, id);
create index workflows_of_root on workflows (root_id);
create table jobs (
  id text primary key, workflow_id text not null references workflows (id), pipeline_id text not null, project_id text not null,
  position integer not null, name text not null, kind text not null, status text not null, number bigint, attempt integer not null,
  retry_of text, reused_from text, why text not null, needs text not null, contexts text not null, denied text, body_hash text,
  resource_class text not null, branch text, created_at text not null, queued_at text, started_at text, stopped_at text,
  approved_by text, canceled_by text, reason text, fence integer not null
);
create index jobs_of_workflow on jobs (workflow_id, position);
create unique index jobs_by_number on jobs (project_id, number);
create index jobs_of_branch on jobs (project_id, branch, number);
create index jobs_retries on jobs (retry_of) where retry_of is not null;
create table queue (
  job_id text not null references jobs (id), node integer not null, workflow_id text not null, resource_class text not null,
  sequence text not null, primary key (job_id, node)
);
create index queue_order on queue (sequence);
create table leases (
  job_id text not null references jobs (id), node integer not null, workflow_id text not null, project_id text not null,
  agent_id text not null references agents (id), fence integer not null, token_hash text not null unique, claimed_at text not null,
  accepted integer not null, started integer not null, cancel integer not null, expires_at text not null, primary key (job_id, node)
);
create index leases_of_agent on leases (agent_id);
create index leases_by_end on leases (expires_at);
create table steps (
  job_id text not null references jobs (id), node integer not null, position integer not null, name text not null, type text not null,
  command text not null, background integer not null, status text not null, exit_code integer, started_at text not null, ended_at text,
  log_size bigint not null, log_crc bigint not null, log_state text not null, primary key (job_id, node, position)
);
create index steps_to_pack on steps (job_id) where log_state = 'whole';
create table log_ranges (
  job_id text not null, node integer not null, step integer not null, start bigint not null, size bigint not null, bytes BYTES,
  at bigint, primary key (job_id, node, step, start)
);
create table packed_logs (
  job_id text not null, node integer not null, step integer not null, bytes BYTES, primary key (job_id, node, step)
);
create table events (
  id text primary key, sequence text not null, kind text not null, project_id text not null, pipeline_id text not null, workflow_id text not null, job_id text,
  status text not null, created_at text not null, dispatched_at text
);
create index events_to_dispatch on events (sequence) where dispatched_at is null;
create index events_of_workflow on events (workflow_id);
create table webhooks (
  id text primary key, project_id text not null references projects (id), name text not null, url text not null,
  verify_tls integer not null, secret text not null, events text not null, created_at text not null, updated_at text not null
);
create index webhooks_of_project on webhooks (project_id, id);
create table deliveries (
  id text primary key, webhook_id text not null references webhooks (id) on delete cascade, event_id text not null, event_type text not null,
  body text not null, state text not null, attempts integer not null, next_at text not null, taken_until text, status_code integer, error text,
  created_at text not null, finished_at text, unique (webhook_id, event_id)
);
create index deliveries_due on deliveries (next_at) where state = 'pending';
create table variables (
  project_id text not null references projects (id), name text not null, value text not null, hint text not null,
  created_at text not null, primary key (project_id, name)
);
create table contexts (
  id text primary key, organization_id text not null references organizations (id), name text not null, created_at text not null,
  unique (organization_id, name)
);
create table context_variables (
  context_id text not null references contexts (id) on delete cascade, name text not null, value text not null,
  created_at text not null, primary key (context_id, name)
);
create table checkout_keys (
  project_id text not null references projects (id), fingerprint text not null, public_key text not null, private_key text not null,
  type text not null, preferred integer not null, user_id text, created_at text not null, primary key (project_id, fingerprint)
)
`
