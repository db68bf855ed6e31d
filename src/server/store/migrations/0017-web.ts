import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** When the bytes of logs were seen. */
export async function up(tx: Tx): Promise<void> {
  await sql.raw('alter table log_ranges add column times text').execute(tx)
  await sql.raw('alter table packed_logs add column times text').execute(tx)
}
