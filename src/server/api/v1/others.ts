import * as projects from '#contract/v1/projects.ts'
import * as users from '#contract/v1/user.ts'
import * as variables from '#contract/v1/variables.ts'
import type { PipelineId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import { providerOf, vcsUrl } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import type { BuildFacts } from '#server/app/builds.ts'
import { type Followed, follow, followedBy, unfollow, wasBuilt } from '#server/app/followed.ts'
import { asUser, may, projectFor } from '#server/app/permissions.ts'
import { projectBuilds } from '#server/app/builds.ts'
import { processPipeline } from '#server/app/process-pipeline.ts'
import { trigger } from '#server/app/trigger.ts'
import { findVariable, listVariables, removeVariable, setVariable } from '#server/app/variables.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'
import { summaryView, triggeredView } from './build-view.ts'
import { projectName } from './project-name.ts'

/** The signed-in user of generation 1.1. */
export function serveMe({ serve }: Serving, _app: App): void {
  serve(users.getMe, async ({ caller }) => {
    const { user } = asUser(caller)
    return {
      basic_email_prefs: 'smart' as const,
      login: user.login,
      user_key_fingerprint: null,
      days_left_in_trial: 0,
      plan: null,
      trial_end: user.created_at,
      admin: user.admin === 1,
      name: user.name,
      avatar_url: user.avatar_url,
      created_at: user.created_at,
      selected_email: user.email,
      all_emails: user.email === null ? [] : [user.email],
      pusher_id: user.id,
    }
  })
}

/** Projects of generation 1.1. */
export function serveProjects({ serve }: Serving, app: App): void {
  const { world } = app
  serve(projects.listProjects, async ({ caller }) =>
    (await followedBy(app, asUser(caller))).map((followed) => followedView(world, followed)),
  )

  serve(projects.followProject, async ({ caller, params }) => {
    const user = asUser(caller)
    const project = await projectFor(world, caller, 'read', projectName(params))
    const isNew = await follow(app, user, project)
    const begins = isNew && (await may(world, caller, 'build', project)) && !(await wasBuilt(app, project))
    const first = begins ? await firstBuild(app, user.id, project) : null
    return { followed: true, following: true, workflow: false, first_build: first }
  })

  serve(projects.unfollowProject, async ({ caller, params }) => {
    await unfollow(app, asUser(caller), await projectFor(world, caller, 'read', projectName(params)))
    return { followed: false, following: false }
  })
}

/** A project that was never built is built when somebody who may build follows it; a repository without a branch has nothing to build. */
async function firstBuild(
  app: App,
  actor: Parameters<typeof trigger>[3]['actor'],
  project: Parameters<typeof trigger>[1],
) {
  try {
    const { id } = await trigger(app.world, project, {}, { type: 'explicit', actor, parameters: {}, options: {} })
    // Not left to the loop: the answer must show the build.
    await processPipeline(app.world, app.compile, id as PipelineId)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
  const build = (await projectBuilds(app, project, { limit: 100 })).at(-1)
  return build ? { ...triggeredView(app.world, build), why: 'first-build' } : null
}

function followedView(world: World, { project, branches }: Followed): projects.FollowedProject {
  return {
    vcs_url: vcsUrl(world, project),
    vcs_type: providerOf(world, project).long,
    username: project.organization,
    reponame: project.name,
    default_branch: project.default_branch,
    oss: project.public === 1,
    language: null,
    parallel: 1,
    has_usable_key: true,
    ssh_keys: [],
    feature_flags: {},
    scopes: ['write-settings', 'view-builds', 'read-settings', 'trigger-builds', 'all', 'status', 'none'],
    followed: true,
    following: true,
    branches: Object.fromEntries(
      [...branches].map(([name, builds]) => [encodeBranch(name), branchView(world, builds)]),
    ),
  }
}

const encodeBranch = (name: string): string => encodeURIComponent(name).replaceAll('.', '%2E')

function branchView(world: World, builds: readonly BuildFacts[]): projects.Branch {
  const views = builds.map((facts) => branchBuild(world, facts))
  const finished = views.filter(({ outcome }) => outcome !== null)
  const lastSuccess = finished.find(({ outcome }) => outcome === 'success')
  const lastOther = finished.find(({ outcome }) => outcome !== 'success')
  return {
    pusher_logins: [...new Set(builds.flatMap(({ actor }) => (actor ? [actor.login] : [])))],
    ...(lastOther && { last_non_success: lastOther }),
    ...(lastSuccess && { last_success: lastSuccess }),
    recent_builds: finished.slice(0, 5),
    running_builds: views.filter(({ outcome, status }) => outcome === null && status !== 'not_run'),
    latest_workflows: {},
    latest_completed_workflows: {},
    is_using_workflows: true,
  }
}

function branchBuild(world: World, facts: BuildFacts): projects.BranchBuild {
  const { build_num, outcome, status, vcs_revision } = summaryView(world, facts)
  const { created_at: at } = facts.pipeline
  return {
    pushed_at: at,
    vcs_revision,
    build_num,
    outcome,
    status,
    added_at: at,
    is_workflow_job: true,
    is_2_0_job: true,
  }
}

/** Variables of generation 1.1. */
export function serveVariables({ serve }: Serving, app: App): void {
  const { world } = app
  const shown = ({ name, value }: { readonly name: string; readonly value: string }) => ({ name, value })
  serve(variables.listVariables, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', projectName(params))
    return (await listVariables(world, project)).map(shown)
  })
  serve(variables.setVariable, async ({ caller, params, body, reply, request }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    const made = await setVariable(world, project, body.name, body.value)
    reply.header('location', `${request.url.split('?')[0]}/${made.name}`)
    return shown(made)
  })
  serve(variables.getVariable, async ({ caller, params }) => {
    const found = await findVariable(
      world,
      await projectFor(world, caller, 'inspect', projectName(params)),
      params.name,
    )
    if (!found) throw new Refusal('not-found', 'env var not found')
    return shown(found)
  })
  serve(variables.deleteVariable, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    if (!(await removeVariable(world, project, params.name))) throw new Refusal('not-found', 'env var not found')
    return { message: 'ok' }
  })
}
