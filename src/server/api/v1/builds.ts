import { Readable } from 'node:stream'
import * as contract from '#contract/v1/builds.ts'
import type { JobId, WorkflowId } from '#core/ids.ts'
import type { App } from '#server/app/app.ts'
import type { Caller } from '#server/app/callers.ts'
import { buildFor, summaryOf, wholeBuild } from '#server/app/builds/build.ts'
import { projectBuildsText, recentBuildsText } from '#server/app/builds/lists.ts'
import { outputOf, textOf } from '#server/app/builds/output.ts'
import { jobFor, jobOf } from '#server/app/find.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { retryBuild, type RetryWish } from '#server/app/reruns.ts'
import { addSshUser } from '#server/app/ssh-visitors.ts'
import { cancelJob } from '#server/app/workflows.ts'
import { readyJson, type Serving } from '#server/api/serve.ts'
import { actorOf } from './actor.ts'
import { projectName } from './project-name.ts'
import { wish } from './wish.ts'

type Named = Parameters<typeof projectName>[0] & { readonly build_num: number }

/** Builds of generation 1.1. */
export function serveBuilds({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listRecentBuilds, async ({ caller, query }) =>
    readyJson(await recentBuildsText(app, asUser(caller), wish(query, caller))),
  )

  serve(contract.listProjectBuilds, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    return readyJson(await projectBuildsText(app, project, wish(query, caller)))
  })

  serve(contract.listBranchBuilds, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    return readyJson(await projectBuildsText(app, project, { ...wish(query, caller), branch: params['*'] }))
  })

  serve(contract.getBuild, async ({ caller, params, reply }) => {
    const { project, job } = await buildFor(app, caller, 'read', projectName(params), params.build_num)
    // What has ended may be shown again for a moment without asking (§9.5); a retry of it shows soon enough.
    if (job.stopped_at !== null) reply.header('cache-control', 'private, max-age=5')
    return wholeBuild(app, project, job)
  })

  const retried = async (caller: Caller, params: Named, wish: RetryWish) => {
    const { project, job } = await buildFor(app, caller, 'build', projectName(params), params.build_num)
    const { job: made } = await jobFor(app, caller, 'read', await retryBuild(world, actorOf(caller), job, wish))
    return summaryOf(app, project, made)
  }

  serve(contract.retryBuild, async ({ caller, params, body }) =>
    retried(caller, params, { withoutCache: body['no-cache'] === true }),
  )

  serve(contract.retryBuildWithSsh, async ({ caller, params }) => retried(caller, params, { why: 'ssh' }))

  serve(contract.addSshUser, async ({ caller, params }) => {
    const user = asUser(caller)
    const { project, job } = await buildFor(app, caller, 'build', projectName(params), params.build_num)
    await addSshUser(world, user, project, job)
    return summaryOf(app, project, job)
  })

  serve(contract.readStepOutput, async ({ caller, params, query, reply }) => {
    const { job } = await buildFor(app, caller, 'read', projectName(params), params.build_num)
    const step = { job_id: job.id, node: params.index, position: params.step }
    const isText = query.file === 'true'
    return reply
      .header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(await (isText ? textOf(world, step) : outputOf(world, step)), { objectMode: false }))
  })

  serve(contract.cancelBuild, async ({ caller, params }) => {
    const { project, job } = await buildFor(app, caller, 'build', projectName(params), params.build_num)
    await cancelJob(world, actorOf(caller) ?? undefined, job.workflow_id as WorkflowId, job.id as JobId)
    return summaryOf(app, project, (await jobOf(app, project, params.build_num, 'Build')).job)
  })
}
