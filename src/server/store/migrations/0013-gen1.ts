import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Builds of the old infrastructure that had no test to run; few, so that they have an index of their own. */
export async function up(tx: Tx): Promise<void> {
  for (const text of [
    'alter table jobs add column no_tests integer not null default 0',
    'create index jobs_without_tests on jobs (project_id, number) where no_tests = 1',
  ])
    await sql.raw(text).execute(tx)
}
