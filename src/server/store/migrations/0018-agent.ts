import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Small artifacts lie together in one blob; an agent can say why it takes no jobs; agents are listed page by page. */
export async function up(tx: Tx): Promise<void> {
  for (const text of tables.split(';')) if (text.trim() !== '') await sql.raw(text).execute(tx)
}

const tables = `
alter table artifacts add column blob text;
alter table artifacts add column start bigint not null default 0;
create index artifacts_of_blob on artifacts (blob);
alter table agents add column obstacle text;
create index agents_of_organization on agents (organization_id, name, id);
create index agents_by_name on agents (name, id)
`
