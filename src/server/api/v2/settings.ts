import type { AdvancedSettings } from '#contract/v2/project-settings.ts'
import * as contract from '#contract/v2/project-settings.ts'
import type { App } from '#server/app/app.ts'
import { projectFor } from '#server/app/permissions.ts'
import { changeSettings, type ProjectSettings, settingsOf } from '#server/app/project-settings.ts'
import type { Serving } from '#server/api/serve.ts'

/** Each setting under the name that it has on this wire. */
const wireNames = {
  autocancel_builds: 'autocancelBuilds',
  build_fork_prs: 'buildForkPrs',
  build_prs_only: 'buildPrsOnly',
  disable_ssh: 'disableSsh',
  forks_receive_secret_env_vars: 'forksReceiveSecretEnvVars',
  oss: 'oss',
  set_github_status: 'setGithubStatus',
  setup_workflows: 'setupWorkflows',
  write_settings_requires_admin: 'writeSettingsRequiresAdmin',
  pr_only_branch_overrides: 'prOnlyBranchOverrides',
} as const satisfies Record<keyof AdvancedSettings, keyof ProjectSettings>

const pairs = Object.entries(wireNames)

const settingsView = (settings: ProjectSettings) => ({
  advanced: Object.fromEntries(pairs.map(([wire, name]) => [wire, settings[name]])) as AdvancedSettings,
})

const changesOf = (given: Readonly<Record<string, unknown>>): Partial<ProjectSettings> =>
  Object.fromEntries(pairs.flatMap(([wire, name]) => (given[wire] === undefined ? [] : [[name, given[wire]]])))

/** Settings of projects in generation 2. */
export function serveSettings({ serve }: Serving, { world }: App): void {
  serve(contract.getProjectSettings, async ({ caller, params }) =>
    settingsView(settingsOf(await projectFor(world, caller, 'inspect', params))),
  )
  serve(contract.updateProjectSettings, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', params)
    return settingsView(await changeSettings(world, caller, project, changesOf(body.advanced)))
  })
}
