import { allPages } from './all-pages.ts'
import type { Server } from './server.ts'
import { getPipeline, listPipelineWorkflows, type Pipeline } from '#contract/v2/pipeline.ts'
import { listWorkflowJobs, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'

/** A workflow and its jobs, in their order. */
export interface WorkflowView {
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
}

/** How a pipeline stands, with everything in it. */
export interface PipelineView {
  readonly pipeline: Pipeline
  /** In the order of their beginning. */
  readonly workflows: readonly WorkflowView[]
}

/** Reads a pipeline, its workflows and their jobs. */
export async function readPipeline(server: Server, id: string): Promise<PipelineView> {
  const params = { pipeline_id: id }
  // The pipeline first: what it says to be all of it is then all of it.
  const pipeline = await server.v2(getPipeline, { params })
  const workflows = await allPages((query) => server.v2(listPipelineWorkflows, { params, query }))
  const views = await Promise.all(
    workflows.map(async (workflow) => ({
      workflow,
      jobs: await allPages((query) => server.v2(listWorkflowJobs, { params: { id: workflow.id }, query })),
    })),
  )
  return { pipeline, workflows: views.toSorted((a, b) => (a.workflow.created_at < b.workflow.created_at ? -1 : 1)) }
}

/** Whether nothing of a pipeline will change any more. */
export function isOver({ pipeline, workflows }: PipelineView): boolean {
  if (pipeline.state === 'errored') return workflows.every(isStopped)
  if (pipeline.state === 'pending' || pipeline.state === 'setup-pending') return false
  return workflows.every(isStopped)
}

const isStopped = ({ workflow }: WorkflowView): boolean => workflow.stopped_at !== null

/** How a pipeline ended; a workflow that ran again counts as it ended last. */
export function endingOf({ pipeline, workflows }: PipelineView): 'success' | 'failed' | 'canceled' | 'errored' {
  if (pipeline.state === 'errored') return 'errored'
  const last = new Map(workflows.map(({ workflow }) => [workflow.name, workflow.status]))
  const statuses = [...last.values()]
  if (statuses.every((status) => status === 'success' || status === 'not_run')) return 'success'
  return statuses.some((status) => status !== 'success' && status !== 'not_run' && status !== 'canceled')
    ? 'failed'
    : 'canceled'
}
