import * as contract from '#contract/v1/projects.ts'
import { vcsUrl } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { triggeredOf } from '#server/app/builds/build.ts'
import type { Caller } from '#server/app/callers.ts'
import { follow, followedBy, unfollow } from '#server/app/followed.ts'
import { asUser, projectFor, type ProjectName } from '#server/app/permissions.ts'
import { changeSettings, type ProjectSettings } from '#server/app/project-settings.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'
import { changesOf } from './feature-flags.ts'
import { projectView } from './project-view.ts'
import { branchesView, settingsView, sshKeysView } from './settings-view.ts'

/** Projects of generation 1.1. */
export function serveProjects({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listProjects, async ({ caller }) =>
    Promise.all(
      (await followedBy(app, asUser(caller))).map(async ({ project, branches }) => ({
        ...projectView(world, project, true),
        ssh_keys: await sshKeysView(app, caller, project),
        branches: branchesView(branches),
      })),
    ),
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

  serve(contract.followProjects, async ({ caller, body }) => {
    const wanted = [...new Set(body['vcs-urls'])]
    // All of them are found before any is followed: bad input changes nothing.
    const projects = await Promise.all(wanted.map((url) => projectFor(world, caller, 'read', nameIn(url))))
    for (const project of projects) await follow(app, asUser(caller), project)
    return projects.map((project) => ({ vcs_url: vcsUrl(world, project), followed: true, following: true }))
  })

  serve(contract.getSettings, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', projectName(params))
    return settingsView(app, caller, project)
  })

  serve(contract.updateSettings, async ({ caller, params, body }) =>
    change(app, caller, projectName(params), changesOf(body)),
  )

  serve(contract.enableProject, async ({ caller, params }) =>
    change(app, caller, projectName(params), { buildsPushes: true }),
  )

  serve(contract.disableProject, async ({ caller, params }) =>
    change(app, caller, projectName(params), { buildsPushes: false }),
  )

  serve(contract.unfollowProject, async ({ caller, params }) => {
    await unfollow(app, asUser(caller), await projectFor(world, caller, 'read', projectName(params)))
    return { followed: false, following: false }
  })
}

async function change(app: App, caller: Caller, name: ProjectName, changes: Partial<ProjectSettings>) {
  const project = await projectFor(app.world, caller, 'configure', name)
  await changeSettings(app.world, caller, project, changes)
  return settingsView(app, caller, await projectFor(app.world, caller, 'inspect', name))
}

/** The project whose repository has that address: of the built-in host, or of a provider. */
function nameIn(url: string): ProjectName {
  const [, host = '', org = '', repo = ''] =
    /^https?:\/\/([^/]+)\/(?:.*\/)?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? []
  const provider = /bitbucket/.test(host) ? 'bb' : /gitlab/.test(host) ? 'gl' : 'gh'
  return { provider, org, repo }
}
