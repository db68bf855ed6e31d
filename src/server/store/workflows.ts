import type { Selectable } from 'kysely'
import type { JobId, UserId, WorkflowId } from '#core/ids.ts'
import { isForAgents, isNumbered, type Job } from '#core/job.ts'
import type { Workflow } from '#core/workflow.ts'
import type { Instant } from '#kit/brand.ts'
import { lock } from './dialect.ts'
import { enqueue, type Waiting } from './enqueue.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { takeJobNumbers } from './numbers.ts'
import { statement, statementForOne } from './statement.ts'

export type WorkflowRow = Selectable<Schema['workflows']>
export type JobRow = Selectable<Schema['jobs']>

/** A workflow as the rules see it, beside the rows it was read from. */
export interface StoredWorkflow {
  readonly row: WorkflowRow
  readonly jobs: readonly JobRow[]
  readonly workflow: Workflow
}

const byId = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('workflows').selectAll().where('id', '=', id),
)
/** The first of a chain of reruns: its workspace is that of all of them. */
export const rootOf = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('workflows').select('root_id').where('id', '=', id),
)
const byIdLocked = statementForOne((db, { id }: { id: string }) =>
  db.selectFrom('workflows').selectAll().where('id', '=', id).$call(lock(db)),
)
const jobsOf = statement((db, { id }: { id: string }) =>
  db.selectFrom('jobs').selectAll().where('workflow_id', '=', id).orderBy('position').orderBy('attempt'),
)

/** A workflow alone, and the number of its pipeline. */
export const workflowWithNumber = statementForOne((db, { id }: { id: string }) =>
  db
    .selectFrom('workflows')
    .innerJoin('pipelines', 'pipelines.id', 'workflows.pipeline_id')
    .selectAll('workflows')
    .select('pipelines.number as pipeline_number')
    .where('workflows.id', '=', id),
)

export async function findWorkflow(db: Db, id: WorkflowId): Promise<StoredWorkflow | undefined> {
  const row = await byId(db, { id })
  return row && stored(row, await jobsOf(db, { id }))
}

/** Reads a workflow that is about to change: whoever else wants to change it waits. */
export async function lockWorkflow(tx: Tx, id: WorkflowId): Promise<StoredWorkflow | undefined> {
  const row = await byIdLocked(tx, { id })
  return row && stored(row, await jobsOf(tx, { id }))
}

const stored = (row: WorkflowRow, jobs: readonly JobRow[]): StoredWorkflow => ({
  row,
  jobs,
  workflow: toWorkflow(row, jobs),
})

const toWorkflow = (row: WorkflowRow, jobs: readonly JobRow[]): Workflow => ({
  id: row.id as WorkflowId,
  name: row.name,
  status: row.status as Workflow['status'],
  createdAt: row.created_at as Instant,
  ...(row.stopped_at !== null && { stoppedAt: row.stopped_at as Instant }),
  ...(row.canceled_by !== null && { canceledBy: row.canceled_by as UserId }),
  jobs: jobs.map(toJob),
})

/** A job as the rules see it. */
export const toJob = (row: JobRow): Job => ({
  id: row.id as JobId,
  name: row.name,
  kind: row.kind as Job['kind'],
  needs: JSON.parse(row.needs) as Job['needs'],
  resourceClass: row.resource_class,
  executor: row.executor as Job['executor'],
  parallelism: row.parallelism,
  contexts: JSON.parse(row.contexts) as string[],
  status: row.status as Job['status'],
  attempt: row.attempt,
  ...(row.retry_of !== null && { retryOf: row.retry_of as JobId }),
  ...(row.reused_from !== null && { reusedFrom: row.reused_from as JobId }),
  ...(row.serial_key !== null && { key: row.serial_key }),
  ...(row.denied !== null && { denied: row.denied }),
  ...(row.queued_at !== null && { queuedAt: row.queued_at as Instant }),
  ...(row.started_at !== null && { startedAt: row.started_at as Instant }),
  ...(row.stopped_at !== null && { stoppedAt: row.stopped_at as Instant }),
  ...(row.approved_by !== null && { approvedBy: row.approved_by as UserId }),
  ...(row.canceled_by !== null && { canceledBy: row.canceled_by as UserId }),
})

const changing = (job: Job) => ({
  status: job.status,
  needs: JSON.stringify(job.needs),
  denied: job.denied ?? null,
  queued_at: job.queuedAt ?? null,
  started_at: job.startedAt ?? null,
  stopped_at: job.stoppedAt ?? null,
  approved_by: job.approvedBy ?? null,
  canceled_by: job.canceledBy ?? null,
})

type Changed = ReturnType<typeof changing> & {
  readonly id: string
  readonly number: number | null
  readonly reason: string | null
}

const updateJob = statement((db, job: Changed) =>
  db
    .updateTable('jobs')
    .set({
      status: job.status,
      number: job.number,
      needs: job.needs,
      denied: job.denied,
      queued_at: job.queued_at,
      started_at: job.started_at,
      stopped_at: job.stopped_at,
      approved_by: job.approved_by,
      canceled_by: job.canceled_by,
      reason: job.reason,
    })
    .where('id', '=', job.id),
)

const updateWorkflow = statement(
  (db, to: { id: string; status: string; stopped_at: string | null; canceled_by: string | null }) =>
    db
      .updateTable('workflows')
      .set({ status: to.status, stopped_at: to.stopped_at, canceled_by: to.canceled_by })
      .where('id', '=', to.id),
)

/** Something about a build changed after its end: what was kept of its record is void. */
export const renewEdition = statement((db, { job }: { job: string }) =>
  db
    .updateTable('jobs')
    .set((eb) => ({ edition: eb('edition', '+', 1) }))
    .where('id', '=', job),
)

/**
 * Writes what changed: statuses, jobs that took the place of others, numbers of the builds that became ready, and their places in the queue.
 * `reasons` are sentences kept with jobs that ended for a reason their steps do not show.
 */
export async function saveWorkflow(
  tx: Tx,
  before: StoredWorkflow,
  after: Workflow,
  reasons: ReadonlyMap<JobId, string> = new Map(),
): Promise<void> {
  const { row } = before
  if (after.status !== row.status || (after.canceledBy ?? null) !== row.canceled_by) {
    const stopped = after.stoppedAt ?? null
    await updateWorkflow(tx, {
      id: row.id,
      status: after.status,
      stopped_at: stopped,
      canceled_by: after.canceledBy ?? null,
    })
  }
  const known = new Map(before.jobs.map((job) => [job.id, job]))
  const old = new Map(before.workflow.jobs.map((job) => [job.id, job]))
  const changed = after.jobs.filter((job) => old.get(job.id) !== job)
  const ready = changed.filter((job) => isForAgents(job) && old.get(job.id)?.status !== 'queued')
  const numbers = await numberJobs(tx, row.project_id, changed.filter(isNumbered), known)
  for (const job of changed) {
    const was = known.get(job.id)
    const number = was?.number ?? numbers.get(job.id) ?? null
    if (!was) await insertRetry(tx, known, job, number)
    else await updateJob(tx, { id: job.id, ...changing(job), number, reason: reasons.get(job.id) ?? was.reason })
  }
  for (const job of ready) await enqueue(tx, waiting(row, job, known.get(job.id)?.number ?? numbers.get(job.id) ?? 0))
}

/** A job as the queue knows it. */
export const waiting = (row: Pick<WorkflowRow, 'id' | 'project_id'>, job: Job, number: number): Waiting => ({
  id: job.id,
  workflow: row.id,
  project: row.project_id,
  resourceClass: job.resourceClass,
  executor: job.executor,
  parallelism: job.parallelism,
  sequence: sequenceOf(job, number),
})

/** First come, first served; of those that came together, the smallest number. */
const sequenceOf = (job: Job, number: number): string => `${job.queuedAt}#${String(number).padStart(12, '0')}`

/** Numbers are dense for each project: taken in the transaction that queues or refuses the job, and by no other. */
async function numberJobs(
  tx: Tx,
  project: string,
  numbered: readonly Job[],
  known: ReadonlyMap<string, JobRow>,
): Promise<Map<JobId, number>> {
  const wanting = numbered.filter((job) => known.get(job.id)?.number == null)
  const numbers = new Map<JobId, number>()
  if (wanting.length === 0) return numbers
  const first = (await takeJobNumbers(tx, { project, count: wanting.length })) - wanting.length + 1
  for (const [i, job] of wanting.entries()) numbers.set(job.id, first + i)
  return numbers
}

async function insertRetry(tx: Tx, known: ReadonlyMap<string, JobRow>, job: Job, number: number | null): Promise<void> {
  const was = job.retryOf && known.get(job.retryOf)
  if (!was) throw new Error(`Cannot keep job ${job.id}: it is new and replaces none`)
  const fresh = {
    id: job.id,
    number,
    attempt: job.attempt,
    retry_of: was.id,
    why: 'auto-retry',
    created_at: job.queuedAt ?? was.created_at,
    reason: null,
    fence: 0,
    edition: 0,
  }
  await tx
    .insertInto('jobs')
    .values({ ...was, ...changing(job), ...fresh })
    .execute()
  await renewEdition(tx, { job: was.id })
}
