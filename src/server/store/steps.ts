import { type Selectable, sql } from 'kysely'
import { literal } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type StepRow = Selectable<Schema['steps']>

const all = statement((db, { job }: { job: string }) =>
  db.selectFrom('steps').selectAll().where('job_id', '=', job).orderBy('node').orderBy('position'),
)
const one = statementForOne((db, at: { job: string; node: number; position: number }) =>
  db
    .selectFrom('steps')
    .selectAll()
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('position', '=', at.position),
)

/** The steps of one node, in order. */
export const stepsOfNode = statement((db, at: { job: string; node: number }) =>
  db.selectFrom('steps').selectAll().where('job_id', '=', at.job).where('node', '=', at.node).orderBy('position'),
)

export const stepsOf = (db: Db, job: string): Promise<StepRow[]> => all(db, { job })
export const stepOf = (db: Db, job: string, position: number, node = 0): Promise<StepRow | undefined> =>
  one(db, { job, node, position })

/** Writes a step as it stands; its log is kept by `growLog` alone. */
export const putStep = statement((db, row: Omit<StepRow, 'log_size' | 'log_crc'>) =>
  db
    .insertInto('steps')
    .values({
      job_id: row.job_id,
      node: row.node,
      position: row.position,
      name: row.name,
      type: row.type,
      command: row.command,
      background: row.background,
      status: row.status,
      exit_code: row.exit_code,
      started_at: row.started_at,
      ended_at: row.ended_at,
      log_size: 0,
      log_crc: 0,
      log_state: row.log_state,
    })
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'node', 'position']).doUpdateSet({
        status: row.status,
        exit_code: row.exit_code,
        started_at: row.started_at,
        ended_at: row.ended_at,
        // A log that was packed while the job went on stays packed.
        log_state: sql<string>`case when steps.log_state = ${literal('packed')} then steps.log_state else ${row.log_state} end`,
      }),
    ),
)

interface Growth {
  readonly job: string
  readonly node: number
  readonly position: number
  readonly from: number
  readonly size: number
  readonly crc: number
}

const grow = statementForOne((db, to: Growth & Readonly<Record<string, unknown>>) =>
  db
    .updateTable('steps')
    .set({ log_size: to.size, log_crc: to.crc })
    .where('job_id', '=', to.job)
    .where('node', '=', to.node)
    .where('position', '=', to.position)
    .where('log_size', '=', to.from)
    .returning('log_size'),
)

/** Moves the end of a log forward, if it still is where the writer believes; false when somebody was faster. */
export const growLog = async (tx: Tx, growth: Growth): Promise<boolean> => (await grow(tx, { ...growth })) !== undefined

/** Ends the steps of a node that nobody will tell of any more, with what there is of their logs. */
export async function closeSteps(tx: Tx, job: string, node: number, status: string, at: string): Promise<void> {
  const open = tx.updateTable('steps').where('job_id', '=', job).where('node', '=', node)
  await open.set({ status, ended_at: at }).where('status', '=', 'running').execute()
  await open.set({ log_state: 'packed' }).where('log_state', '=', 'live').where('log_size', '=', 0).execute()
  await open.set({ log_state: 'whole' }).where('log_state', '=', 'live').execute()
}

/** Steps that ended by then and whose log is whole and not packed yet. */
export const stepsToPack = (db: Db, endedBefore: string, most: number): Promise<StepRow[]> =>
  db
    .selectFrom('steps')
    .selectAll()
    .where('log_state', '=', literal('whole'))
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '<=', endedBefore)]))
    .limit(most)
    .execute()

/** False when somebody else has done it meanwhile. */
export async function markPacked(tx: Tx, step: StepRow): Promise<boolean> {
  const row = await tx
    .updateTable('steps')
    .set({ log_state: 'packed' })
    .where('job_id', '=', step.job_id)
    .where('node', '=', step.node)
    .where('position', '=', step.position)
    .where('log_state', '=', 'whole')
    .returning('position')
    .executeTakeFirst()
  return row !== undefined
}
