import { statement } from './statement.ts'

/**
 * Reports from before a time, oldest first. Ids of jobs grow with time: `below` is an id that no job of that time or later has,
 * so that the index of the key leads to them.
 */
export const reportsBefore = statement((db, { below, before, most }: { below: string; before: string; most: number }) =>
  db
    .selectFrom('test_reports')
    .select(['job_id', 'node', 'step', 'tests'])
    .where('job_id', '<', below)
    .where('recorded_at', '<', before)
    .orderBy('job_id')
    .orderBy('node')
    .orderBy('step')
    .limit(most),
)

/** Which results of a step: those from one position to before another. */
export type Stretch = {
  readonly job: string
  readonly node: number
  readonly step: number
  readonly from: number
  readonly to: number
}

/** Deletes some results of a step. */
export const deleteResults = statement((db, at: Stretch) =>
  db
    .deleteFrom('test_results')
    .where('job_id', '=', at.job)
    .where('node', '=', at.node)
    .where('step', '=', at.step)
    .where('position', '>=', at.from)
    .where('position', '<', at.to),
)

/** Deletes what tests of a step printed. */
export const deleteOutputs = statement((db, at: { job: string; node: number; step: number }) =>
  db.deleteFrom('test_outputs').where('job_id', '=', at.job).where('node', '=', at.node).where('step', '=', at.step),
)

/** Deletes the report of a step, when its results are gone. */
export const deleteReport = statement((db, at: { job: string; node: number; step: number }) =>
  db.deleteFrom('test_reports').where('job_id', '=', at.job).where('node', '=', at.node).where('step', '=', at.step),
)
