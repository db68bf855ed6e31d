import * as contract from '#contract/rh/project-page.ts'
import type { App } from '#server/app/app.ts'
import { parametersOn } from '#server/app/declared-parameters.ts'
import { rightsIn } from '#server/app/rights.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { nextRuns, scheduleFor } from '#server/app/schedules.ts'
import { listSshKeys } from '#server/app/ssh-keys.ts'
import type { Serving } from '#server/api/serve.ts'

/** What the pages of a project need beside what everybody can ask for. */
export function serveProjectPage({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.getProjectAccess, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'read', params)
    const rights = await rightsIn(world, asUser(caller), project)
    return {
      project_id: project.id,
      organization_id: project.organization_id,
      hosted: project.url === null,
      role: rights.role as contract.ProjectAccess['role'],
      may_build: rights.build,
      may_inspect: rights.inspect,
      may_configure: rights.configure,
      may_own: rights.own,
    }
  })
  serve(contract.listProjectSshKeys, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', params)
    return {
      items: (await listSshKeys(world, project)).map(({ hostname, publicKey, fingerprint }) => ({
        hostname,
        public_key: publicKey,
        fingerprint,
      })),
    }
  })
  serve(contract.listDeclaredParameters, async ({ caller, params, query }) => {
    // Looking may fetch a repository that lives elsewhere, so it takes the right to run.
    const project = await projectFor(world, caller, 'build', params)
    const { branch, tag, revision, configPath, parameters } = await parametersOn(app, project, query)
    return {
      branch,
      tag,
      revision,
      config_path: configPath,
      items: parameters.map(({ name, type, usual, description, choices }) => ({
        name,
        type: type as contract.DeclaredParameter['type'],
        default: usual,
        description: description ?? null,
        choices: [...choices],
      })),
    }
  })
  serve(contract.listNextRuns, async ({ caller, params, query }) => {
    const { row } = await scheduleFor(world, caller, 'read', params.schedule_id)
    return { items: [...nextRuns(world, row, query.count ?? 5)] }
  })
}
