import { Refusal } from '#kit/refusal.ts'
import { roleOf } from '#server/store/people.ts'
import { lockProject, projectById, type ProjectRow, setProjectSettings } from '#server/store/projects.ts'
import type { Caller } from './callers.ts'
import type { World } from './world.ts'

/** What a project's people decide about it. */
export interface ProjectSettings {
  /** A newer pipeline of a branch cancels the older ones. */
  readonly autocancelBuilds: boolean
  readonly buildForkPrs: boolean
  readonly buildPrsOnly: boolean
  readonly disableSsh: boolean
  readonly forksReceiveSecretEnvVars: boolean
  /** Anybody may read it. */
  readonly oss: boolean
  readonly setGithubStatus: boolean
  readonly setupWorkflows: boolean
  readonly writeSettingsRequiresAdmin: boolean
  /** A push makes pipelines. */
  readonly buildsPushes: boolean
  readonly prOnlyBranchOverrides: readonly string[]
  /** Of what the provider is told how it ended, where it is told at all. */
  readonly statusesOf: 'workflows' | 'jobs' | 'both'
  /** Where commits and configurations are read, of repositories that live elsewhere; nothing: as the operator wants it. */
  readonly source?: 'git' | 'provider' | undefined
}

/** Only what was decided is kept, and since when older pipelines are canceled. */
type Kept = Partial<Omit<ProjectSettings, 'oss'>> & { readonly autocancelSince?: string }

const keptOf = (project: Pick<ProjectRow, 'settings'>): Kept => JSON.parse(project.settings) as Kept

/** The settings of a project: what was decided, and what holds otherwise. */
export function settingsOf(project: ProjectRow): ProjectSettings {
  const { autocancelSince: _, ...kept } = keptOf(project)
  return {
    autocancelBuilds: false,
    buildForkPrs: false,
    buildPrsOnly: false,
    disableSsh: false,
    forksReceiveSecretEnvVars: false,
    setGithubStatus: true,
    setupWorkflows: true,
    writeSettingsRequiresAdmin: false,
    buildsPushes: true,
    prOnlyBranchOverrides: [project.default_branch],
    statusesOf: 'workflows',
    ...kept,
    oss: project.public === 1,
  }
}

/** Refuses SSH where a project wants none. */
export function checkSsh(project: ProjectRow): void {
  if (settingsOf(project).disableSsh)
    throw new Refusal('invalid', `Cannot open a job of ${project.organization}/${project.name}: SSH is disabled for it`)
}

/** Since when newer pipelines cancel older ones; nothing while they do not. */
export function autocancelSince(project: Pick<ProjectRow, 'settings'>): string | undefined {
  const { autocancelBuilds, autocancelSince: since } = keptOf(project)
  return autocancelBuilds === true ? (since ?? '') : undefined
}

/** Changes what is given. Whoever calls has seen to it that the caller may configure the project. */
export async function changeSettings(
  world: World,
  caller: Caller,
  project: ProjectRow,
  changes: Partial<ProjectSettings>,
): Promise<ProjectSettings> {
  return world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    const now = (await projectById(tx, { id: project.id })) ?? project
    if (settingsOf(now).writeSettingsRequiresAdmin && !(await isOwner(world, caller, now)))
      throw new Refusal('forbidden', 'Permission denied')
    const { oss, ...others } = changes
    const begins = others.autocancelBuilds === true && !settingsOf(now).autocancelBuilds
    const kept: Kept = { ...keptOf(now), ...others, ...(begins && { autocancelSince: world.now() }) }
    const row = { settings: JSON.stringify(kept), public: oss === undefined ? now.public : oss ? 1 : 0 } as const
    await setProjectSettings(tx, project.id, row)
    return settingsOf({ ...now, ...row })
  })
}

async function isOwner(world: World, caller: Caller, project: ProjectRow): Promise<boolean> {
  if (caller.kind !== 'user') return false
  const role = await roleOf(world.db, { user: caller.id, organization: project.organization_id })
  return caller.user.admin === 1 || role?.role === 'owner'
}
