import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** What tests that failed printed: apart from their results, which are read far more often. */
export async function up(tx: Tx): Promise<void> {
  await sql
    .raw(
      `create table test_outputs (
        job_id text not null, node integer not null, step integer not null, position bigint not null, output text not null,
        primary key (job_id, node, step, position)
      )`,
    )
    .execute(tx)
}
