import { type Static, Type } from 'typebox'
import { endpoint } from '#contract/endpoint.ts'
import { ProjectParams } from './path.ts'

const Branches = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 })

/** What a project's people decide about it. */
export const AdvancedSettings = Type.Object({
  /** A newer pipeline of a branch cancels the older ones; never on the default branch. */
  autocancel_builds: Type.Boolean(),
  build_fork_prs: Type.Boolean(),
  build_prs_only: Type.Boolean(),
  disable_ssh: Type.Boolean(),
  forks_receive_secret_env_vars: Type.Boolean(),
  /** Anybody may read it. */
  oss: Type.Boolean(),
  set_github_status: Type.Boolean(),
  setup_workflows: Type.Boolean(),
  write_settings_requires_admin: Type.Boolean(),
  pr_only_branch_overrides: Branches,
})
export type AdvancedSettings = Static<typeof AdvancedSettings>

const ProjectSettings = Type.Object({ advanced: AdvancedSettings })

export const getProjectSettings = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/settings',
  summary: 'Read the settings of a project',
  access: 'user',
  params: ProjectParams,
  response: ProjectSettings,
})

export const updateProjectSettings = endpoint({
  method: 'PATCH',
  path: '/project/:provider/:org/:repo/settings',
  summary: 'Change what is given of the settings of a project',
  access: 'user',
  params: ProjectParams,
  body: Type.Object({ advanced: Type.Partial(AdvancedSettings, { additionalProperties: false }) }),
  response: ProjectSettings,
})
