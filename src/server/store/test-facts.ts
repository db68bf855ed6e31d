import { sql } from 'kysely'
import type { Db } from './schema.ts'
import { statement } from './statement.ts'

interface Slice extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly since: string
  readonly job: string
  readonly node: number
  readonly step: number
  readonly position: number
  readonly most: number
}

// The words stand in the text of the query: the index of failures serves only those that say so.
const failures = statement((db, at: Slice) =>
  db
    .selectFrom('test_results as f')
    .select(['f.test_key', 'f.recorded_at', 'f.run_time', 'f.job_id', 'f.node', 'f.step', 'f.position'])
    .select((eb) => [
      eb
        .selectFrom('test_results as s')
        .select((passed) => passed.fn.max('s.recorded_at').as('at'))
        .whereRef('s.test_key', '=', 'f.test_key')
        .whereRef('s.revision', '=', 'f.revision')
        .whereRef('s.recorded_at', '<=', 'f.recorded_at')
        .where('s.result', '=', 'success')
        .as('passed_before'),
      eb
        .selectFrom('test_results as s')
        .select((passed) => passed.fn.min('s.recorded_at').as('at'))
        .whereRef('s.test_key', '=', 'f.test_key')
        .whereRef('s.revision', '=', 'f.revision')
        .whereRef('s.recorded_at', '>', 'f.recorded_at')
        .where('s.result', '=', 'success')
        .as('passed_after'),
    ])
    .where('f.project_id', '=', at.project)
    .where(sql<boolean>`f.result in ('failure', 'error')`)
    .where((eb) =>
      eb(
        eb.refTuple('f.recorded_at', 'f.job_id', 'f.node', 'f.step', 'f.position'),
        '>',
        eb.tuple(at.since, at.job, at.node, at.step, at.position),
      ),
    )
    .where('f.recorded_at', '>=', at.since)
    .orderBy('f.recorded_at')
    .orderBy('f.job_id')
    .orderBy('f.node')
    .orderBy('f.step')
    .orderBy('f.position')
    .limit(at.most),
)

/** A test that did not pass, and when it passed on the same commit. */
export interface FailureRow {
  readonly test_key: string
  readonly recorded_at: string
  readonly run_time: number
  readonly job_id: string
  readonly node: number
  readonly step: number
  readonly position: number
  readonly passed_before: string | null
  readonly passed_after: string | null
}

const readAtOnce = 250

/** The tests of a project that did not pass since then, slice by slice. */
export async function* failedSince(db: Db, project: string, since: string): AsyncGenerator<FailureRow> {
  let at = { since, job: '', node: 0, step: 0, position: 0 }
  for (;;) {
    const rows: readonly FailureRow[] = await failures(db, { project, ...at, most: readAtOnce })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) return
    at = { since: last.recorded_at, job: last.job_id, node: last.node, step: last.step, position: last.position }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

interface JobSlice extends Readonly<Record<string, unknown>> {
  readonly job: string
  readonly node: number
  readonly step: number
  readonly position: number
  readonly most: number
}

const lean = statement((db, at: JobSlice) =>
  db
    .selectFrom('test_results')
    .select(['node', 'step', 'position', 'test_key', 'classname', 'name', 'file', 'source', 'result', 'run_time'])
    .where('job_id', '=', at.job)
    .where((eb) => eb(eb.refTuple('node', 'step', 'position'), '>', eb.tuple(at.node, at.step, at.position)))
    .orderBy('node')
    .orderBy('step')
    .orderBy('position')
    .limit(at.most),
)

export type LeanTest = Awaited<ReturnType<typeof lean>>[number]

/** The tests of a job without what they said, slice by slice. */
export async function* testsOfJob(db: Db, job: string): AsyncGenerator<LeanTest> {
  let at = { node: 0, step: 0, position: -1 }
  for (;;) {
    const rows = await lean(db, { job, ...at, most: 1_000 })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < 1_000) return
    at = { node: last.node, step: last.step, position: last.position }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The jobs of a workflow that brought test results themselves. */
export const testedJobsOf = statement((db, { workflow }: { workflow: string }) =>
  db
    .selectFrom('jobs')
    .innerJoin('test_reports', 'test_reports.job_id', 'jobs.id')
    .select(['jobs.id', 'jobs.name'])
    .distinct()
    .where('jobs.workflow_id', '=', workflow)
    .orderBy('jobs.id'),
)

/** One test result, by its place. */
export const testAt = statement((db, at: { job: string; node: number; step: number; position: number }) =>
  db
    .selectFrom('test_results')
    .innerJoin('jobs', 'jobs.id', 'test_results.job_id')
    .innerJoin('workflows', 'workflows.id', 'jobs.workflow_id')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .select([
      'test_results.classname',
      'test_results.name',
      'test_results.file',
      'test_results.source',
      'jobs.name as job_name',
      'jobs.number as job_number',
      'workflows.id as workflow_id',
      'workflows.name as workflow_name',
      'workflows.created_at as workflow_created_at',
      'pipelines.number as pipeline_number',
    ])
    .where('test_results.job_id', '=', at.job)
    .where('test_results.node', '=', at.node)
    .where('test_results.step', '=', at.step)
    .where('test_results.position', '=', at.position),
)
