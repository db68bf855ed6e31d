import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** A push whose sender waits is kept until they were told how its pipelines end. */
export async function up(tx: Tx): Promise<void> {
  await sql.raw('alter table open_pushes add column pipelines text').execute(tx)
}
