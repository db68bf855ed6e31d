import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Slugs made of ids, the addresses of orbs that organizations allow, exports of usage, and what is on its way out. */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  'alter table projects add column named_as text',
  'alter table projects add column gone_at text',
  'alter table projects add column gone_by text',
  'create index projects_gone on projects (gone_at) where gone_at is not null',
  `insert into organizations (id, provider, name, key, created_at)
    values ('00000000-0000-0000-0000-000000000000', 'provider-a', '', '', '1970-01-01T00:00:00.000Z')`,
  `create table orb_prefixes (
    id text primary key, organization_id text not null references organizations (id), name text not null, prefix text not null,
    auth text not null, created_at text not null
  )`,
  'create index orb_prefixes_of_organization on orb_prefixes (organization_id, id)',
  `create table usage_exports (
    id text primary key, organization_id text not null references organizations (id), user_id text not null, organizations text not null,
    from_at text not null, until_at text not null, created_at text not null
  )`,
  'create index usage_exports_of_organization on usage_exports (organization_id, id)',
]
