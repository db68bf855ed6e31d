import { providerOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { branchRecords } from '#server/app/builds/branches.ts'
import type { Caller } from '#server/app/callers.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { isFollowing } from '#server/app/followed.ts'
import { may } from '#server/app/permissions.ts'
import { settingsOf } from '#server/app/project-settings.ts'
import { listSshKeys } from '#server/app/ssh-keys.ts'
import { projectView } from './project-view.ts'

/** The keys of a project, to those who may see its settings. */
export async function sshKeysView({ world }: App, caller: Caller, project: ProjectRow) {
  if (!(await may(world, caller, 'inspect', project))) return []
  return (await listSshKeys(world, project)).map(({ hostname, publicKey, fingerprint }) => ({
    hostname: hostname === '' ? null : hostname,
    public_key: publicKey,
    fingerprint,
  }))
}

const encodeBranch = (name: string): string => encodeURIComponent(name).replaceAll('.', '%2E')

/** The records of branches by their names, which are URL-encoded, `.` and `/` too. */
export const branchesView = (branches: Awaited<ReturnType<typeof branchRecords>>) =>
  Object.fromEntries(branches.map(([name, record]) => [encodeBranch(name), record]))

/** The settings of a project, in the words of generation 1.1. */
export async function settingsView(app: App, caller: Caller, project: ProjectRow) {
  return {
    ...projectView(app.world, project, await isFollowing(app, caller, project)),
    ssh_keys: await sshKeysView(app, caller, project),
    'vcs-type': providerOf(app.world, project).long,
    enabled: settingsOf(project).buildsPushes,
    branches: branchesView(await branchRecords(app.world, project)),
  }
}
