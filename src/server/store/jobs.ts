import type { Db } from './schema.ts'
import { statementForOne } from './statement.ts'
import type { JobRow } from './workflows.ts'

export const jobById = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id),
)

export const jobByNumber = statementForOne((db, at: { project: string; number: number }) =>
  db.selectFrom('jobs').selectAll().where('project_id', '=', at.project).where('number', '=', at.number),
)

/** Which builds of generation 1.1 a list wants. */
export interface BuildFilter {
  readonly branch?: string
  readonly statuses?: readonly string[]
}

/** Builds of a project, newest first. */
export async function buildsOf(
  db: Db,
  project: string,
  filter: BuildFilter,
  limit: number,
  offset: number,
): Promise<JobRow[]> {
  let query = db.selectFrom('jobs').selectAll().where('project_id', '=', project).where('number', 'is not', null)
  if (filter.branch !== undefined) query = query.where('branch', '=', filter.branch)
  if (filter.statuses !== undefined) query = query.where('status', 'in', [...filter.statuses])
  return query.orderBy('number', 'desc').limit(limit).offset(offset).execute()
}
