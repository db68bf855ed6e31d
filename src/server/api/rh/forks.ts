import * as contract from '#contract/rh/forks.ts'
import type { App } from '#server/app/app.ts'
import { pipelineFor } from '#server/app/find.ts'
import { approvalOf, approveFork, rejectFork } from '#server/app/fork-approval.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { rightsIn } from '#server/app/rights.ts'
import { type WaitingFork, waitingForks } from '#server/app/waiting-forks.ts'
import type { Serving } from '#server/api/serve.ts'

const view = ({ pipeline, subject, asked, pull }: WaitingFork): contract.WaitingFork => ({
  pipeline_id: pipeline.id,
  number: pipeline.number,
  revision: pipeline.revision,
  subject,
  branch: pipeline.branch ?? '',
  pull_request: {
    number: asked.number,
    url: asked.url,
    title: pull?.title ?? null,
    head_repository: `${asked.owner}/${asked.repository}`,
  },
  is_newest: pull === undefined || (pull.state === 'open' && pull.revision === pipeline.revision),
  created_at: pipeline.created_at,
})

/** The approval of what comes from forks. */
export function serveForks({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.listWaitingForks, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { items, next } = await waitingForks(app, project, query['page-token'])
    return { items: items.map(view), next_page_token: next }
  })
  serve(contract.getApproval, async ({ caller, params }) => {
    const { project, pipeline } = await pipelineFor(app, caller, 'read', params.pipeline_id)
    return {
      state: await approvalOf(world, pipeline),
      revision: pipeline.revision,
      may_approve: (await rightsIn(world, asUser(caller), project)).build,
    }
  })
  serve(contract.approvePipeline, async ({ caller, params, body }) => {
    const { pipeline } = await pipelineFor(app, caller, 'build', params.pipeline_id)
    return { approved_workflows: await approveFork(world, asUser(caller).id, pipeline.id, body.revision) }
  })
  serve(contract.rejectPipeline, async ({ caller, params, body }) => {
    const { pipeline } = await pipelineFor(app, caller, 'build', params.pipeline_id)
    return { rejected_workflows: await rejectFork(world, asUser(caller).id, pipeline.id, body.revision) }
  })
}
