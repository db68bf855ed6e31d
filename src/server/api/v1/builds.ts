import * as contract from '#contract/v1/builds.ts'
import type { JobId, UserId, WorkflowId } from '#core/ids.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { type BuildFacts, buildFacts, projectBuilds, recentBuilds } from '#server/app/builds.ts'
import type { Caller } from '#server/app/callers.ts'
import { jobFor, jobOf, type ProjectRow } from '#server/app/find.ts'
import { stepsFor } from '#server/app/job-page.ts'
import { asUser, projectFor, type Right } from '#server/app/permissions.ts'
import { retryBuild } from '#server/app/reruns.ts'
import { type Target, trigger } from '#server/app/trigger.ts'
import { triggerBuild } from '#server/app/trigger-build.ts'
import { cancelJob } from '#server/app/workflows.ts'
import type { Serving } from '#server/api/serve.ts'
import { shallowView, summaryView, triggeredView } from './build-view.ts'
import { projectName } from './project-name.ts'
import { stepViews } from './step-view.ts'

/** Builds of generation 1.1. */
export function serveBuilds({ serve }: Serving, app: App): void {
  const { world } = app
  const listed = (builds: readonly BuildFacts[], shallow: string | undefined) =>
    builds.map((facts) =>
      shallow === 'true' ? shallowView(world, facts) : summaryView(world, { ...facts, previousSuccessful: undefined }),
    )

  serve(contract.listRecentBuilds, async ({ caller, query }) =>
    listed(await recentBuilds(app, asUser(caller), query), query.shallow),
  )

  serve(contract.listProjectBuilds, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    return listed(await projectBuilds(app, project, query), query.shallow)
  })

  serve(contract.listBranchBuilds, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    return listed(await projectBuilds(app, project, { ...query, branch: params['*'] }), query.shallow)
  })

  serve(contract.getBuild, async ({ caller, params }) => {
    const { project, job } = await buildFor(app, caller, 'read', params)
    const facts = await buildFacts(app, project, job, true)
    return {
      ...summaryView(world, facts),
      pull_requests: [],
      owners: [project.organization],
      steps: stepViews(await stepsFor(app, job), job.parallelism),
    }
  })

  serve(contract.triggerBuild, async ({ caller, params, body, reply }) => {
    const project = await projectFor(world, caller, 'build', projectName(params))
    const target = { tag: body.tag ?? undefined, revision: body.revision ?? undefined }
    return located(reply, await triggered(app, caller, project, target, body))
  })

  serve(contract.triggerBranchBuild, async ({ caller, params, body, reply }) => {
    const project = await projectFor(world, caller, 'build', projectName(params))
    const target = { branch: params['*'], revision: body.revision ?? undefined }
    return located(reply, await triggered(app, caller, project, target, body))
  })

  serve(contract.buildProject, async ({ caller, params, query, body }) => {
    const project = await projectFor(world, caller, 'build', projectName(params))
    const target = {
      branch: body.branch ?? query.branch ?? undefined,
      tag: body.tag ?? query.tag ?? undefined,
      revision: body.revision ?? query.revision ?? undefined,
    }
    await trigger(world, project, target, { type: 'api', actor: asUser(caller).id, parameters: {}, options: {} })
    return { status: 200, body: 'Build created' }
  })

  serve(contract.retryBuild, async ({ caller, params }) => {
    const { project, job } = await buildFor(app, caller, 'build', params)
    const { job: made } = await jobFor(app, caller, 'read', await retryBuild(world, actorOf(caller), job))
    return summaryView(world, await buildFacts(app, project, made, true))
  })

  serve(contract.cancelBuild, async ({ caller, params }) => {
    const { project, job } = await buildFor(app, caller, 'build', params)
    await cancelJob(world, actorOf(caller) ?? undefined, job.workflow_id as WorkflowId, job.id as JobId)
    const after = await jobOf(app, project, params.build_num, 'Build')
    return summaryView(world, await buildFacts(app, project, after.job, true))
  })
}

const actorOf = (caller: Caller): UserId | null => (caller.kind === 'user' ? caller.id : null)

interface BuildParams {
  readonly vcs: string
  readonly org: string
  readonly repo: string
  readonly build_num: number
}

async function buildFor(app: App, caller: Caller, right: Right, params: BuildParams) {
  const project = await projectFor(app.world, caller, right, projectName(params))
  return jobOf(app, project, params.build_num, 'Build')
}

interface Wanted {
  readonly job?: string | null
  readonly build_parameters?: Readonly<Record<string, unknown>> | null
}

async function triggered(app: App, caller: Caller, project: ProjectRow, target: Target, wanted: Wanted) {
  const { SERVICE_JOB: job, CIRCLE_JOB: sameJob, ...parameters } = buildParameters(wanted.build_parameters ?? {})
  const wish = { job: wanted.job ?? job ?? sameJob ?? 'build', buildParameters: parameters }
  return { project, view: triggeredView(app.world, await triggerBuild(app, project, actorOf(caller), target, wish)) }
}

/** Values become text: composite ones as JSON. */
function buildParameters(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new Refusal(
        'invalid',
        `Cannot use build parameter ${JSON.stringify(name.slice(0, 100))}: it is no name of a variable`,
      )
    parameters[name] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return parameters
}

function located(
  reply: { header(name: string, value: string): unknown },
  { project, view }: Awaited<ReturnType<typeof triggered>>,
) {
  orNotFound(view.build_num || undefined, 'Build')
  reply.header(
    'location',
    `/api/v1.1/project/${project.provider}/${project.organization}/${project.name}/${view.build_num}`,
  )
  return view
}
