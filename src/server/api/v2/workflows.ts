import * as contract from '#contract/v2/workflow.ts'
import type { JobId, WorkflowId } from '#core/ids.ts'
import type { App } from '#server/app/app.ts'
import { workflowFor, workflowGlanceFor } from '#server/app/find.ts'
import { numbersOfReused } from '#server/app/job-page.ts'
import { asUser } from '#server/app/permissions.ts'
import { rerunWorkflow } from '#server/app/reruns.ts'
import { approveJob, cancelWorkflow } from '#server/app/workflows.ts'
import type { Serving } from '#server/api/serve.ts'
import { workflowJobView, workflowView } from './views.ts'

const accepted = { message: 'Accepted.' }

/** Workflows of generation 2. */
export function serveWorkflows({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.getWorkflow, async ({ caller, params }) => {
    const { project, pipeline, row } = await workflowGlanceFor(app, caller, 'read', params.id)
    return workflowView(world, project, pipeline, row)
  })

  serve(contract.listWorkflowJobs, async ({ caller, params, query }) => {
    app.cursors.none(query['page-token'])
    const { project, stored } = await workflowFor(app, caller, 'read', params.id)
    const numbers = await numbersOfReused(app, stored.jobs)
    const items = stored.jobs.map((job) =>
      workflowJobView(world, project, job, job.number ?? numbers.get(job.reused_from ?? '') ?? null),
    )
    return { items, next_page_token: null }
  })

  serve(contract.approveJob, async ({ caller, params }) => {
    await workflowFor(app, caller, 'build', params.id)
    await approveJob(world, asUser(caller).id, params.id as WorkflowId, params.approval_request_id as JobId)
    return accepted
  })

  serve(contract.cancelWorkflow, async ({ caller, params }) => {
    await workflowFor(app, caller, 'build', params.id)
    await cancelWorkflow(world, asUser(caller).id, params.id as WorkflowId)
    return accepted
  })

  serve(contract.rerunWorkflow, async ({ caller, params, body }) => {
    await workflowFor(app, caller, 'build', params.id)
    const id = await rerunWorkflow(world, asUser(caller).id, params.id as WorkflowId, {
      ...(body.from_failed !== undefined && { fromFailed: body.from_failed }),
      ...(body.jobs !== undefined && { jobs: body.jobs as JobId[] }),
      ...(body.sparse_tree !== undefined && { sparseTree: body.sparse_tree }),
      ...(body.enable_ssh !== undefined && { enableSsh: body.enable_ssh }),
    })
    return { workflow_id: id }
  })
}
