import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ScheduleRow = Selectable<Schema['schedules']>

export async function insertSchedule(tx: Tx, row: ScheduleRow): Promise<void> {
  await tx.insertInto('schedules').values(row).execute()
}

export const scheduleById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('schedules').selectAll().where('id', '=', id),
)

/** Reads a schedule that is about to change or to fire: whoever else wants to waits. */
export const lockSchedule = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('schedules').selectAll().where('id', '=', id).$call(lock(db)),
)

export async function updateSchedule(tx: Tx, id: string, to: Partial<ScheduleRow>): Promise<void> {
  await tx.updateTable('schedules').set(to).where('id', '=', id).execute()
}

export async function deleteSchedule(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('schedules').where('id', '=', id).execute()
}

/** The schedules of a project, oldest first, after the one where the page before ended. */
export const schedulesOf = statement((db, at: { project: string; after: string; most: number }) =>
  db
    .selectFrom('schedules')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.most),
)

/** Schedules whose time has come. */
export const dueSchedules = (db: Db, now: string, most: number): Promise<ScheduleRow[]> =>
  db
    .selectFrom('schedules')
    .selectAll()
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(most)
    .execute()
