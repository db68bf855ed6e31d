import { isForAgents, isNumbered, type Job } from '#core/job.ts'
import type { Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'
import type { JobRow, WorkflowRow } from './workflows.ts'
import { enqueue } from './enqueue.ts'
import { takeJobNumbers } from './numbers.ts'
import { renewEdition, waiting } from './workflows.ts'

/** A job of a workflow that is being made. */
export interface NewJob {
  readonly job: Job
  readonly bodyHash: string | null
  readonly why: string
  readonly retryOf: string | null
  readonly noTests: boolean
}

export const insertRow = statement((db, row: WorkflowRow) =>
  db.insertInto('workflows').values({
    id: row.id,
    pipeline_id: row.pipeline_id,
    project_id: row.project_id,
    name: row.name,
    status: row.status,
    created_at: row.created_at,
    stopped_at: row.stopped_at,
    started_by: row.started_by,
    canceled_by: row.canceled_by,
    errored_by: row.errored_by,
    rerun_of: row.rerun_of,
    root_id: row.root_id,
    reruns: row.reruns,
    tag: row.tag,
    only_failed_tests: row.only_failed_tests,
  }),
)

export const insertJob = statement((db, row: Omit<JobRow, 'edition'>) =>
  db.insertInto('jobs').values({
    id: row.id,
    workflow_id: row.workflow_id,
    pipeline_id: row.pipeline_id,
    project_id: row.project_id,
    position: row.position,
    name: row.name,
    kind: row.kind,
    status: row.status,
    number: row.number,
    attempt: row.attempt,
    retry_of: row.retry_of,
    reused_from: row.reused_from,
    why: row.why,
    needs: row.needs,
    contexts: row.contexts,
    denied: row.denied,
    body_hash: row.body_hash,
    resource_class: row.resource_class,
    executor: row.executor,
    parallelism: row.parallelism,
    branch: row.branch,
    created_at: row.created_at,
    queued_at: row.queued_at,
    started_at: row.started_at,
    stopped_at: row.stopped_at,
    approved_by: row.approved_by,
    canceled_by: row.canceled_by,
    reason: row.reason,
    fence: row.fence,
    dont_build: row.dont_build,
    serial_key: row.serial_key,
    no_tests: row.no_tests,
  }),
)

const countRerun = statementForOne((db, { root }: { root: string }) =>
  db
    .updateTable('workflows')
    .set((eb) => ({ reruns: eb('reruns', '+', 1) }))
    .where('id', '=', root)
    .returning('reruns'),
)

/** Writes a workflow that has begun, with its jobs; those that are ready get their numbers and their places in the queue. */
export async function insertWorkflow(
  tx: Tx,
  row: WorkflowRow,
  jobs: readonly NewJob[],
  branch: string | null,
): Promise<void> {
  await insertRow(tx, row)
  if (row.root_id !== row.id) await countRerun(tx, { root: row.root_id })
  const count = jobs.filter(({ job }) => isNumbered(job)).length
  const last = count === 0 ? 0 : await takeJobNumbers(tx, { project: row.project_id, count })
  let next = last - count + 1
  for (const [position, { job, bodyHash, why, retryOf, noTests }] of jobs.entries()) {
    const number = isNumbered(job) ? next++ : null
    await insertJob(tx, {
      id: job.id,
      workflow_id: row.id,
      pipeline_id: row.pipeline_id,
      project_id: row.project_id,
      position,
      name: job.name,
      kind: job.kind,
      status: job.status,
      number,
      attempt: job.attempt,
      retry_of: retryOf,
      reused_from: job.reusedFrom ?? null,
      why,
      needs: JSON.stringify(job.needs),
      contexts: JSON.stringify(job.contexts),
      denied: job.denied ?? null,
      body_hash: bodyHash,
      resource_class: job.resourceClass,
      executor: job.executor,
      parallelism: job.parallelism,
      branch,
      created_at: row.created_at,
      queued_at: job.queuedAt ?? null,
      started_at: job.startedAt ?? null,
      stopped_at: job.stoppedAt ?? null,
      approved_by: job.approvedBy ?? null,
      canceled_by: job.canceledBy ?? null,
      reason: null,
      fence: 0,
      dont_build: null,
      serial_key: job.key ?? null,
      no_tests: noTests ? 1 : 0,
    })
    if (retryOf !== null) await renewEdition(tx, { job: retryOf })
    if (number !== null && isForAgents(job)) await enqueue(tx, waiting(row, job, number))
  }
}
