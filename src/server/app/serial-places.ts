import type { JobId } from '#core/ids.ts'
import { guardedBy, placesOf } from '#core/serial.ts'
import type { Workflow } from '#core/workflow.ts'
import { leasesOfJob } from '#server/store/leases.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { projectById } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { deletePlace, insertPlace, placesOfWorkflow } from '#server/store/serial-places.ts'
import type { StoredWorkflow, WorkflowRow } from '#server/store/workflows.ts'

/**
 * Keeps the lines before serial groups in step with a workflow, in the transaction that changes it: a lock that began to wait goes to the end
 * of its line, one that waits no more or was unlocked leaves. A group whose canceled jobs still run stays held: `freePlaces` lets it go. True when somebody should look whose turn it is.
 */
export async function keepPlaces(
  tx: Tx,
  row: Pick<WorkflowRow, 'id' | 'project_id' | 'pipeline_id'>,
  before: Workflow | undefined,
  after: Workflow,
): Promise<boolean> {
  const [old, now] = [before ? placesOf(before) : new Map(), placesOf(after)]
  const gone = [...old.keys()].filter((id) => !now.has(id))
  const come = after.jobs.filter((job) => now.has(job.id) && !old.has(job.id))
  for (const job of gone) if (!(await isStillUsed(tx, after, job))) await deletePlace(tx, { job })
  if (come.length > 0) {
    const project = await projectById(tx, { id: row.project_id })
    const pipeline = await pipelineById(tx, { id: row.pipeline_id })
    if (!project || !pipeline) throw new Error(`Cannot put workflow ${row.id} in line: it belongs to nothing`)
    for (const job of come) {
      const since = job.queuedAt ?? after.createdAt
      await insertPlace(tx, {
        job_id: job.id,
        workflow_id: row.id,
        project_id: row.project_id,
        organization_id: project.organization_id,
        serial_key: job.key ?? '',
        pipeline_number: pipeline.number,
        arrived: `${since}#${job.id}`,
        since,
        held_at: null,
      })
    }
  }
  return gone.length > 0 || come.length > 0
}

/**
 * Lets go of the serial groups that a workflow has no claim to any more, once no agent works on a job of theirs: called when a lease has ended,
 * in its transaction. True when somebody should look whose turn it is.
 */
export async function freePlaces(tx: Tx, { row, workflow }: StoredWorkflow): Promise<boolean> {
  if (!workflow.jobs.some(({ kind }) => kind === 'lock')) return false
  const wanted = placesOf(workflow)
  let freed = false
  for (const { job_id: job } of await placesOfWorkflow(tx, row.id)) {
    if (wanted.has(job as JobId) || (await isStillUsed(tx, workflow, job as JobId))) continue
    await deletePlace(tx, { job })
    freed = true
  }
  return freed
}

/** Whether an agent still works on a job that the lock was held for: it was told to stop, and has not said that it did. */
async function isStillUsed(tx: Tx, { jobs }: Workflow, lock: JobId): Promise<boolean> {
  for (const job of guardedBy(jobs, lock)) if ((await leasesOfJob(tx, { job })).length > 0) return true
  return false
}
