import { placesOf } from '#core/serial.ts'
import type { Workflow } from '#core/workflow.ts'
import { pipelineById } from '#server/store/pipelines.ts'
import { projectById } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'
import { deletePlace, insertPlace } from '#server/store/serial-places.ts'
import type { WorkflowRow } from '#server/store/workflows.ts'

/**
 * Keeps the lines before serial groups in step with a workflow, in the transaction that changes it: a lock that began to wait goes to the end
 * of its line, one that waits no more or was unlocked leaves. True when somebody should look whose turn it is.
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
  for (const job of gone) await deletePlace(tx, { job })
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
