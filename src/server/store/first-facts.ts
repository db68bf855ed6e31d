import { statementForOne } from './statement.ts'

interface From extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly workflow: string
  readonly from: number
}

/** The first run of a workflow that ended, of those that began from then on. */
export const firstRun = statementForOne((db, at: From) =>
  db
    .selectFrom('run_facts')
    .select('started')
    .where('project_id', '=', at.project)
    .where('name', '=', at.workflow)
    .where('started', '>=', at.from)
    .orderBy('started')
    .limit(1),
)

/** The first of its builds. */
export const firstJob = statementForOne((db, at: From) =>
  db
    .selectFrom('job_facts')
    .select('started')
    .where('project_id', '=', at.project)
    .where('workflow', '=', at.workflow)
    .where('started', '>=', at.from)
    .orderBy('started')
    .limit(1),
)
