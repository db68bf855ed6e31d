import { statement } from './statement.ts'

/** Notes that a workflow is to be told to the collector of traces. */
export const queueTrace = statement((db, at: { workflow: string; now: string }) =>
  db
    .insertInto('trace_queue')
    .values({ workflow_id: at.workflow, attempts: 0, next_at: at.now })
    .onConflict((conflict) => conflict.doNothing()),
)
