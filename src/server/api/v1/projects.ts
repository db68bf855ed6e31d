import * as contract from '#contract/v1/projects.ts'
import type { App } from '#server/app/app.ts'
import { triggeredOf } from '#server/app/builds/build.ts'
import { follow, followedBy, unfollow } from '#server/app/followed.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'
import { projectView } from './project-view.ts'

/** Projects of generation 1.1. */
export function serveProjects({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listProjects, async ({ caller }) =>
    (await followedBy(app, asUser(caller))).map(({ project, branches }) => ({
      ...projectView(world, project, true),
      branches: Object.fromEntries(branches.map(([name, record]) => [encodeBranch(name), record])),
    })),
  )

  serve(contract.followProject, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    const first = await follow(app, asUser(caller), project)
    return {
      followed: true,
      following: true,
      workflow: false,
      first_build: first ? await triggeredOf(app, project, first) : null,
    }
  })

  serve(contract.unfollowProject, async ({ caller, params }) => {
    await unfollow(app, asUser(caller), await projectFor(world, caller, 'read', projectName(params)))
    return { followed: false, following: false }
  })
}

const encodeBranch = (name: string): string => encodeURIComponent(name).replaceAll('.', '%2E')
