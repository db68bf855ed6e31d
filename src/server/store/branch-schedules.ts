import type { Selectable } from 'kysely'
import { lock } from './dialect.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type BranchScheduleRow = Selectable<Schema['branch_schedules']>

/** The scheduled workflows of a branch. */
export const branchSchedulesOf = statement((db, at: { project: string; branch: string }) =>
  db
    .selectFrom('branch_schedules')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .orderBy('id'),
)

export async function insertBranchSchedule(tx: Tx, row: BranchScheduleRow): Promise<void> {
  await tx.insertInto('branch_schedules').values(row).execute()
}

/** Forgets every scheduled workflow of a branch. */
export async function deleteBranchSchedules(tx: Tx, project: string, branch: string): Promise<void> {
  await tx.deleteFrom('branch_schedules').where('project_id', '=', project).where('branch', '=', branch).execute()
}

/** Reads one that is about to fire: another server that wants to waits. */
export const lockBranchSchedule = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('branch_schedules').selectAll().where('id', '=', id).$call(lock(db)),
)

/** Says when it fires next. */
export async function moveBranchSchedule(tx: Tx, id: string, nextAt: string | null): Promise<void> {
  await tx.updateTable('branch_schedules').set({ next_at: nextAt }).where('id', '=', id).execute()
}

/** Scheduled workflows whose time has come. */
export const dueBranchSchedules = (db: Db, now: string, most: number): Promise<BranchScheduleRow[]> =>
  db
    .selectFrom('branch_schedules')
    .selectAll()
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(most)
    .execute()
