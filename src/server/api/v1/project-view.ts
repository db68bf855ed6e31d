import { oldSettings } from '#contract/v1/old-settings.ts'
import { providerOf, vcsUrl } from '#server/app/addresses.ts'
import type { ProjectRow } from '#server/app/find.ts'
import type { World } from '#server/app/world.ts'
import { flagsOf } from './feature-flags.ts'

/** What generation 1.1 says of a project wherever it names one. */
export const projectView = (world: World, project: ProjectRow, followed: boolean) => ({
  ...oldSettings,
  vcs_url: vcsUrl(world, project),
  vcs_type: providerOf(world, project).long,
  username: project.organization,
  reponame: project.name,
  default_branch: project.default_branch,
  oss: project.public === 1,
  language: null,
  parallel: 1,
  has_usable_key: true,
  feature_flags: flagsOf(project),
  scopes: ['write-settings', 'view-builds', 'read-settings', 'trigger-builds', 'all', 'status', 'none'],
  followed,
  following: followed,
})
