import { statement, statementForOne } from './statement.ts'

/** The newest pipeline of a branch that a push or somebody made; schedules do not count, nor do commits that were passed when they were told of. */
export const newestOfBranch = statementForOne((db, at: { project: string; branch: string; definition: string }) =>
  db
    .selectFrom('pipelines')
    .select('number')
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('definition_id', '=', at.definition)
    .where('trigger_type', '!=', 'scheduled_pipeline')
    .where('options', 'not like', '%"passed":true%')
    .orderBy('number', 'desc')
    .limit(1),
)

/** What a newer pipeline of the same branch and definition takes the place of. */
interface Redundant {
  readonly [name: string]: unknown
  readonly project: string
  readonly branch: string
  readonly definition: string
  readonly below: number
  readonly since: string
}

/** Workflows that have not ended, of pipelines of a branch below a number, that are no reruns. */
export const openOfBranch = statement((db, at: Redundant) =>
  db
    .selectFrom('workflows')
    .innerJoin('pipelines', 'pipelines.id', 'workflows.pipeline_id')
    .select('workflows.id')
    .where('workflows.project_id', '=', at.project)
    .where('workflows.stopped_at', 'is', null)
    .where('workflows.rerun_of', 'is', null)
    .where('workflows.created_at', '>=', at.since)
    .where('pipelines.branch', '=', at.branch)
    .where('pipelines.definition_id', '=', at.definition)
    .where('pipelines.number', '<', at.below)
    .orderBy('workflows.id'),
)

/** Workflows that have not ended and began before then; the index holds only those that have not ended. */
export const openBefore = statement((db, at: { before: string; most: number }) =>
  db
    .selectFrom('workflows')
    .select('id')
    .where('stopped_at', 'is', null)
    .where('created_at', '<', at.before)
    .orderBy('project_id')
    .orderBy('id')
    .limit(at.most),
)
