import type { Db } from './schema.ts'
import { statement, statementForOne } from './statement.ts'
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

/** Builds of several projects, newest first: ids grow with time. */
export async function buildsAcross(
  db: Db,
  projects: readonly string[],
  limit: number,
  offset: number,
): Promise<JobRow[]> {
  if (projects.length === 0) return []
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', 'in', [...projects])
    .where('number', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The build before another one on the same branch, and in the same job where there is one. */
export const previousBuild = statementForOne((db, at: { project: string; branch: string; number: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('number', '<', at.number)
    .orderBy('number', 'desc')
    .limit(1),
)

export const previousSuccess = statementForOne((db, at: { project: string; branch: string; number: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('number', '<', at.number)
    .where('status', '=', 'success')
    .orderBy('number', 'desc')
    .limit(1),
)

/** The builds that retry another one, oldest first. */
export const retriesOf = statement((db, { job }: { job: string }) =>
  db.selectFrom('jobs').select(['id', 'number']).where('retry_of', '=', job).orderBy('id'),
)
