import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What pipelines with a setup phase keep of it. */
export async function up(tx: Tx): Promise<void> {
  await sql
    .raw(
      `create table continuations (
        pipeline_id text primary key references pipelines (id), key_hash text not null unique, key text not null,
        setup_hash text not null, compiled_hash text not null, created_at text not null, continued_at text
      )`,
    )
    .execute(tx)
  await sql.raw('alter table workflows add column tag text').execute(tx)
}
