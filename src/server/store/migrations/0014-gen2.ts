import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What newer clients of generation 2 manage: definitions and triggers of pipelines, resource classes, claims. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  'alter table organizations add column named_as text',
  `create table pipeline_definitions (
    id text primary key, project_id text not null references projects (id), name text not null, description text not null,
    config_provider text not null, config_repository text not null, config_path text not null, checkout_provider text not null,
    checkout_repository text not null, created_at text not null
  )`,
  `alter table pipelines add column definition_id text not null default ''`,
  'create index definitions_of_project on pipeline_definitions (project_id, id)',
  `create table triggers (
    id text primary key, project_id text not null references projects (id), definition_id text not null, source text not null,
    repository text not null, preset text, name text not null, description text not null, event_name text not null,
    checkout_ref text not null, config_ref text not null, parameters text, disabled integer not null, cron text, actor_id text,
    sender text, secret_hash text, next_at text, created_at text not null
  )`,
  'create index triggers_of_definition on triggers (project_id, definition_id, id)',
  'create index triggers_due on triggers (next_at) where next_at is not null',
  `create table resource_classes (
    id text primary key, organization_id text not null references organizations (id), name text not null unique,
    description text not null, created_at text not null
  )`,
  'create index resource_classes_of_organization on resource_classes (organization_id, id)',
  'alter table agents add column resource_class_id text',
  `create table identity_claims (
    subject_id text primary key, audience text, audience_at text, ttl text, ttl_at text
  )`,
]
