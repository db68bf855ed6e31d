import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statementForOne } from './statement.ts'

export type PackedRow = Selectable<Schema['packed_logs']>

export async function insertPacked(tx: Tx, row: PackedRow): Promise<void> {
  await tx
    .insertInto('packed_logs')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'node', 'step']).doUpdateSet({ bytes: row.bytes, times: row.times }),
    )
    .execute()
}

export const packedOf = statementForOne((db, at: { job: string; node: number; step: number }) =>
  db
    .selectFrom('packed_logs')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('step', '=', at.step),
)
