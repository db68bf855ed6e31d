import { sql } from 'kysely'
import { bytesType } from '#server/store/dialect.ts'
import type { Tx } from '#server/store/schema.ts'

/** Days of facts in columns: thousands of runs are read in a few rows. */
export async function up(tx: Tx): Promise<void> {
  const bytes = String(bytesType(tx))
  await sql
    .raw(
      `create table packed_runs (
        project_id text not null, name text not null, day bigint not null, runs bigint not null, successful bigint not null,
        failed bigint not null, canceled bigint not null, duration bigint not null, credits bigint not null,
        first bigint not null, last bigint not null, texts text not null, columns ${bytes}, primary key (project_id, name, day)
      )`,
    )
    .execute(tx)
  await sql
    .raw(
      `create table packed_jobs (
        project_id text not null, name text not null, day bigint not null, texts text not null, columns ${bytes},
        primary key (project_id, name, day)
      )`,
    )
    .execute(tx)
}
