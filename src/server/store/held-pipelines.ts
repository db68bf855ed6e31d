import { literal } from './dialect.ts'
import { statement } from './statement.ts'

/**
 * The pipelines of a project before `before` of which a workflow waits behind its gate, newest first. Led by the workflows that have not
 * ended, for which there is an index: few, however many forks were built before.
 */
export const heldPipelines = statement((db, at: { project: string; before: string; most: number }) =>
  db
    .selectFrom('pipelines')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('workflows')
        .innerJoin('jobs', 'jobs.workflow_id', 'workflows.id')
        .select('workflows.pipeline_id')
        .where('workflows.project_id', '=', at.project)
        .where('workflows.stopped_at', 'is', null)
        .where('jobs.position', '=', 0)
        .where('jobs.kind', '=', literal('approval'))
        .where('jobs.status', '=', literal('on_hold')),
    )
    .where('needs_approval', '=', 1)
    .where('id', '<', at.before)
    .orderBy('id', 'desc')
    .limit(at.most),
)
