import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What people are given and restricted by: restrictions of contexts, passwords, identities elsewhere, and a record of who did what. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  `create table context_restrictions (
    id text primary key, context_id text not null references contexts (id) on delete cascade, type text not null, value text not null,
    created_at text not null, unique (context_id, type, value)
  )`,
  'alter table context_variables add column updated_at text',
  'create index contexts_of_organization on contexts (organization_id, id)',
  'create table passwords (user_id text primary key references users (id), hash text not null, updated_at text not null)',
  `create table identities (
    issuer text not null, subject text not null, user_id text not null references users (id), created_at text not null,
    primary key (issuer, subject)
  )`,
  `create table audit (
    id text primary key, organization_id text, actor_id text, actor text not null, action text not null, target text not null,
    address text not null, created_at text not null
  )`,
  'create index audit_of_organization on audit (organization_id, id)',
  'create index tokens_of_user on tokens (user_id) where user_id is not null',
  'create index pipelines_of_actor on pipelines (project_id, actor_id, number)',
  'create index pipelines_in_time on pipelines (project_id, id)',
  'create index workflows_open on workflows (project_id, id) where stopped_at is null',
]
