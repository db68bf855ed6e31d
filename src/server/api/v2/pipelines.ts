import * as contract from '#contract/v2/pipeline.ts'
import type { App } from '#server/app/app.ts'
import { continuePipeline } from '#server/app/continue-pipeline.ts'
import { pipelineFor, pipelineOf, type ProjectRow } from '#server/app/find.ts'
import {
  lastPipelineNumber,
  pageOfWorkflows,
  projectPipelines,
  recentProjects,
  userPipelines,
} from '#server/app/lists.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { pipelineTexts } from '#server/app/pipeline-texts.ts'
import { configOf } from '#server/app/pipeline-config.ts'
import { triggerAtOnce } from '#server/app/trigger-at-once.ts'
import { Refusal } from '#kit/refusal.ts'
import { readyJson, type Serving } from '#server/api/serve.ts'
import { pipelineView, workflowView } from './views.ts'

/** Pipelines of generation 2. */
export function servePipelines({ serve }: Serving, app: App): void {
  const { world } = app
  const pageText = pipelineTexts(app, (facts) => JSON.stringify(pipelineView(world, facts)))

  const projectPage = async (
    project: ProjectRow,
    filter: Parameters<typeof projectPipelines>[2],
    token: string | undefined,
  ) => {
    const key = JSON.stringify([project.id, await lastPipelineNumber(app, project), filter, token])
    return pageText(key, async () => ({
      ...(await projectPipelines(app, project, filter, token)),
      projectOf: () => project,
    }))
  }

  serve(contract.listPipelines, async ({ caller, query }) => {
    const filter = {
      ...(query['org-slug'] !== undefined && { orgSlug: query['org-slug'] }),
      ...(query.mine === true && { mine: true }),
    }
    const user = asUser(caller)
    const projects = await recentProjects(app, user, filter, query['page-token'])
    const built = projects.map(({ id, last_pipeline }) => `${id}:${last_pipeline}`).join()
    const key = JSON.stringify([user.id, built, filter, query['page-token']])
    const byId = new Map(projects.map((project) => [project.id, project]))
    const text = await pageText(key, async () => ({
      ...(await userPipelines(app, user, projects, filter, query['page-token'])),
      projectOf: (id) => byId.get(id),
    }))
    return readyJson(text)
  })

  serve(contract.getPipeline, async ({ caller, params }) =>
    pipelineView(world, await pipelineFor(app, caller, 'read', params.pipeline_id)),
  )

  serve(contract.getPipelineConfig, async ({ caller, params }) => {
    const { pipeline } = await pipelineFor(app, caller, 'read', params.pipeline_id)
    const { source, compiled, setup } = await configOf(app, pipeline)
    return { source, compiled, ...(setup && { 'setup-config': setup.source, 'compiled-setup-config': setup.compiled }) }
  })

  serve(contract.listPipelineWorkflows, async ({ caller, params, query }) => {
    const { project, pipeline } = await pipelineFor(app, caller, 'read', params.pipeline_id)
    const { items, next } = await pageOfWorkflows(app, pipeline, query['page-token'])
    return { items: items.map((row) => workflowView(world, project, pipeline, row)), next_page_token: next }
  })

  serve(contract.continuePipeline, async ({ body }) => {
    await continuePipeline(world, body['continuation-key'], body.configuration, body.parameters ?? {})
    return { message: 'Accepted.' }
  })

  serve(contract.listProjectPipelines, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const filter = query.branch === undefined ? {} : { branch: query.branch }
    return readyJson(await projectPage(project, filter, query['page-token']))
  })

  serve(contract.listMyPipelines, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    return readyJson(await projectPage(project, { actor: asUser(caller).id }, query['page-token']))
  })

  serve(contract.getPipelineByNumber, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'read', params)
    return pipelineView(world, await pipelineOf(app, project, params.pipeline_number))
  })

  serve(contract.triggerPipeline, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'build', params)
    if (body.branch !== undefined && body.tag !== undefined) {
      throw new Refusal('invalid', 'Cannot trigger a pipeline as branch and tag exclude each other: both were given')
    }
    const wanted = { type: 'api', actor: asUser(caller).id, parameters: body.parameters ?? {}, options: {} } as const
    const pipeline = await triggerAtOnce(app, project, { branch: body.branch, tag: body.tag }, wanted)
    return { id: pipeline.id, state: 'pending' as const, number: pipeline.number, created_at: pipeline.created_at }
  })
}
