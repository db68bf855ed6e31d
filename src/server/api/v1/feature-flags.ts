import { Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { type ProjectSettings, settingsOf } from '#server/app/project-settings.ts'

/** Each setting under the name of its feature flag. */
const flags = {
  'autocancel-builds': 'autocancelBuilds',
  'build-fork-prs': 'buildForkPrs',
  'build-prs-only': 'buildPrsOnly',
  'disable-ssh': 'disableSsh',
  'forks-receive-secret-env-vars': 'forksReceiveSecretEnvVars',
  oss: 'oss',
  'set-github-status': 'setGithubStatus',
  'setup-workflows': 'setupWorkflows',
  'write-settings-requires-admin': 'writeSettingsRequiresAdmin',
} as const satisfies Readonly<Record<string, keyof ProjectSettings>>

/** The feature flags of a project. */
export function flagsOf(project: ProjectRow): Record<string, boolean> {
  const settings = settingsOf(project)
  return Object.fromEntries(Object.entries(flags).map(([flag, name]) => [flag, settings[name]]))
}

/** What a request wants changed. Flags that we do not have are passed over: clients send back what they were given. */
export function changesOf({
  feature_flags: given = {},
  oss,
}: Readonly<Record<string, unknown>>): Partial<ProjectSettings> {
  if (typeof given !== 'object' || given === null) return {}
  const wanted: Readonly<Record<string, unknown>> = { ...(typeof oss === 'boolean' && { oss }), ...given }
  const changes: Partial<Record<(typeof flags)[keyof typeof flags], boolean>> = {}
  for (const [flag, name] of Object.entries(flags)) {
    const value = wanted[flag]
    if (value === undefined || value === null) continue
    if (typeof value !== 'boolean')
      throw new Refusal('invalid', `Cannot change feature flag ${flag} as it must be true or false: it is neither`)
    changes[name] = value
  }
  return changes
}
