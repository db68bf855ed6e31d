import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What comes from providers and goes to them: hooks, pull requests, commit statuses, tokens, permissions; and whom pipelines trust. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  `alter table pipelines add column trust text not null default 'trusted'`,
  'alter table pipelines add column needs_approval integer not null default 0',
  `create table receivers (
    id text primary key, provider text not null, project_id text references projects (id),
    organization_id text not null references organizations (id), secret text not null, created_by text not null, created_at text not null
  )`,
  'create index receivers_of_organization on receivers (organization_id, id)',
  `create table hooks (
    id text primary key, receiver_id text not null references receivers (id) on delete cascade, delivery text not null,
    event text not null, type text not null, body text not null, state text not null, attempts integer not null,
    next_at text not null, taken_until text, project_id text, outcome text, received_at text not null, finished_at text,
    unique (receiver_id, delivery)
  )`,
  `create index hooks_due on hooks (next_at) where state = 'pending'`,
  'create index hooks_of_receiver on hooks (receiver_id, id)',
  'create index hooks_in_time on hooks (received_at)',
  `create table pulls (
    project_id text not null references projects (id), number integer not null, state text not null, fork integer not null,
    branch text not null, revision text not null, base_branch text not null, head_repository text not null, title text not null,
    url text not null, updated_at text not null, primary key (project_id, number)
  )`,
  `create index pulls_open on pulls (project_id, branch) where state = 'open'`,
  `create table commit_statuses (
    project_id text not null references projects (id), revision text not null, context text not null, provider text not null,
    status text not null, description text not null, url text not null, version integer not null, state text not null,
    attempts integer not null, next_at text not null, taken_until text, status_code integer, error text,
    created_at text not null, updated_at text not null, primary key (project_id, revision, context)
  )`,
  `create index commit_statuses_due on commit_statuses (provider, next_at) where state = 'pending'`,
  `create table provider_tokens (
    user_id text not null references users (id), provider text not null, access_token text not null, refresh_token text,
    expires_at text, updated_at text not null, primary key (user_id, provider)
  )`,
  `create table connections (project_id text primary key references projects (id), token text not null, updated_at text not null)`,
  `create table grants (
    user_id text not null references users (id), project_id text not null references projects (id), level text not null,
    expires_at text not null, primary key (user_id, project_id)
  )`,
]
