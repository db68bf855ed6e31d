import type { Selectable } from 'kysely'
import type { Schema } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type TestOutputRow = Selectable<Schema['test_outputs']>

/** Keeps what a test printed. */
export const insertTestOutput = statement((db, { job_id, node, step, position, output }: TestOutputRow) =>
  db.insertInto('test_outputs').values({ job_id, node, step, position, output }),
)

/** Which tests of a job printed something that was kept. */
export const testOutputsOf = statement((db, { job }: { job: string }) =>
  db.selectFrom('test_outputs').select(['node', 'step', 'position']).where('job_id', '=', job),
)

/** What one test printed. */
export const testOutputAt = statementForOne((db, at: { job: string; node: number; step: number; position: number }) =>
  db
    .selectFrom('test_outputs')
    .select('output')
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('step', '=', at.step)
    .where('position', '=', at.position),
)
