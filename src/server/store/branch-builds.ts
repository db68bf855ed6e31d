import type { Db } from './schema.ts'
import { statement } from './statement.ts'

/** What the record of a branch tells of one of its builds. */
const toldOf = (db: Db) =>
  db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .innerJoin('workflows', 'workflows.id', 'jobs.workflow_id')
    .leftJoin('users', 'users.id', 'pipelines.actor_id')
    .select([
      'jobs.number',
      'jobs.name',
      'jobs.branch',
      'jobs.status',
      'jobs.dont_build',
      'jobs.no_tests',
      'jobs.created_at',
      'pipelines.revision',
      'pipelines.received_at',
      'users.login',
      'workflows.id as workflow_id',
      'workflows.name as workflow_name',
      'workflows.status as workflow_status',
      'workflows.created_at as workflow_created_at',
      'workflows.stopped_at as workflow_stopped_at',
    ])

/** The newest builds of a branch. */
export const newestOfBranch = statement((db, at: { project: string; branch: string; most: number }) =>
  toldOf(db)
    .where('jobs.project_id', '=', at.project)
    .where('jobs.branch', '=', at.branch)
    .where('jobs.number', '>', 0)
    .orderBy('jobs.number', 'desc')
    .limit(at.most),
)

/** The newest builds of a branch that stand so. */
export const newestOfBranchBy = statement((db, at: { project: string; branch: string; status: string; most: number }) =>
  toldOf(db)
    .where('jobs.project_id', '=', at.project)
    .where('jobs.branch', '=', at.branch)
    .where('jobs.status', '=', at.status)
    .where('jobs.number', '>', 0)
    .orderBy('jobs.number', 'desc')
    .limit(at.most),
)

/** The newest builds of a project, of whatever branch, that stand so. */
export const newestBy = statement((db, at: { project: string; status: string; most: number }) =>
  toldOf(db)
    .where('jobs.project_id', '=', at.project)
    .where('jobs.status', '=', at.status)
    .where('jobs.number', '>', 0)
    .orderBy('jobs.number', 'desc')
    .limit(at.most),
)

export type BranchBuild = Awaited<ReturnType<typeof newestOfBranch>>[number]
