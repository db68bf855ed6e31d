import type { Selectable } from 'kysely'
import type { Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type PollRow = Selectable<Schema['polls']>

export const pollOf = statementForOne((db, { project }: { project: string }) =>
  db.selectFrom('polls').selectAll().where('project_id', '=', project),
)

/** The projects that are due, longest overdue first. */
export const duePolls = statement((db, { now, most }: { now: string; most: number }) =>
  db.selectFrom('polls').selectAll().where('next_at', '<=', now).orderBy('next_at').limit(most),
)

/** Sets how often, and when next. */
export async function putPoll(tx: Tx, row: PollRow): Promise<void> {
  await tx
    .insertInto('polls')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ every_seconds: row.every_seconds, next_at: row.next_at }),
    )
    .execute()
}

export async function deletePoll(tx: Tx, project: string): Promise<void> {
  await tx.deleteFrom('polls').where('project_id', '=', project).execute()
}

/** Takes a poll that is due, so that nobody else does it before `next`; false when somebody was faster. */
export async function takePoll(tx: Tx, row: PollRow, next: string): Promise<boolean> {
  const taken = await tx
    .updateTable('polls')
    .set({ next_at: next })
    .where('project_id', '=', row.project_id)
    .where('next_at', '=', row.next_at)
    .returning('project_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Writes what came of a poll that was taken; one whose times were set meanwhile keeps them. */
export async function settlePoll(
  tx: Tx,
  project: string,
  taken: string,
  settled: Pick<PollRow, 'next_at' | 'failures'>,
): Promise<void> {
  await tx.updateTable('polls').set(settled).where('project_id', '=', project).where('next_at', '=', taken).execute()
}

/** Lets a poll come no later than a time. */
export async function bringForward(tx: Tx, project: string, at: string): Promise<void> {
  await tx
    .updateTable('polls')
    .set({ next_at: at })
    .where('project_id', '=', project)
    .where('next_at', '>', at)
    .execute()
}
