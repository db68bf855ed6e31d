import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, OpenMap, Time, Uuid } from '#contract/endpoint.ts'
import { BuildSummary, buildStatuses, outcomes } from './build.ts'
import { OldSettings } from './old-settings.ts'
import { ProjectParams } from './path.ts'

/** A build as its branch names it. */
export const BranchBuild = Type.Object({
  pushed_at: Time,
  vcs_revision: Nullable(Type.String()),
  build_num: Type.Integer(),
  outcome: Nullable(OneOf(...outcomes)),
  status: OneOf(...buildStatuses),
  added_at: Time,
  is_workflow_job: Type.Boolean(),
  is_2_0_job: Type.Boolean(),
})
export type BranchBuild = Static<typeof BranchBuild>

const LatestWorkflows = Type.Record(Type.String(), Type.Object({ id: Uuid, created_at: Time, status: Type.String() }))

/** How a branch stands; at most five recent builds, newest first, and no `last_*` where there was none. */
export const Branch = Type.Object({
  pusher_logins: Type.Array(Type.String()),
  last_non_success: Type.Optional(BranchBuild),
  last_success: Type.Optional(BranchBuild),
  recent_builds: Type.Array(BranchBuild, { maxItems: 5 }),
  running_builds: Type.Array(BranchBuild),
  latest_workflows: LatestWorkflows,
  latest_completed_workflows: LatestWorkflows,
  is_using_workflows: Type.Boolean(),
})
export type Branch = Static<typeof Branch>

const known = {
  ...OldSettings,
  vcs_url: Type.String(),
  vcs_type: Type.String(),
  username: Type.String(),
  reponame: Type.String(),
  default_branch: Nullable(Type.String()),
  oss: Type.Boolean(),
  language: Nullable(Type.String()),
  parallel: Type.Integer(),
  has_usable_key: Type.Boolean(),
  ssh_keys: Type.Array(
    Type.Object({ hostname: Nullable(Type.String()), public_key: Type.String(), fingerprint: Type.String() }),
  ),
  feature_flags: OpenMap,
  scopes: Type.Array(Type.String()),
  followed: Type.Boolean(),
  following: Type.Boolean(),
}

/** A project that the caller follows; the names of its branches are URL-encoded, `.` and `/` too. */
export const FollowedProject = Type.Object({ ...known, branches: Type.Record(Type.String(), Branch) })
export type FollowedProject = Static<typeof FollowedProject>

/** The settings of a project: open, as notification and build settings come and go. */
export const ProjectSettings = Type.Object(
  { ...known, 'vcs-type': Type.String(), branches: Type.Record(Type.String(), Branch), enabled: Type.Boolean() },
  { additionalProperties: true },
)
export type ProjectSettings = Static<typeof ProjectSettings>

export const listProjects = endpoint({
  method: 'GET',
  path: '/projects',
  summary: 'List the projects that the caller follows',
  access: 'user',
  query: Type.Object({ shallow: Type.Optional(Type.String()) }),
  response: Type.Array(FollowedProject),
})

export const followProject = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/follow',
  summary: 'Follow a project; its first follower causes its first build',
  access: 'user',
  params: ProjectParams,
  response: Type.Object({
    followed: Type.Boolean(),
    following: Type.Boolean(),
    workflow: Type.Boolean(),
    first_build: Nullable(BuildSummary),
  }),
})

export const unfollowProject = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/unfollow',
  summary: 'No longer follow a project',
  access: 'user',
  params: ProjectParams,
  response: Type.Object({ followed: Type.Boolean(), following: Type.Boolean() }),
})

export const getSettings = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/settings',
  summary: 'Read the settings of a project',
  access: 'project:read-settings',
  params: ProjectParams,
  response: ProjectSettings,
})

export const updateSettings = endpoint({
  method: 'PUT',
  path: '/project/:vcs/:org/:repo/settings',
  summary: 'Change the given settings of a project',
  access: 'project:write-settings',
  params: ProjectParams,
  body: Type.Object({ feature_flags: Type.Optional(OpenMap) }, { additionalProperties: true }),
  response: ProjectSettings,
})

export const enableProject = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/enable',
  summary: 'Build a project when it is pushed to',
  access: 'project:write-settings',
  params: ProjectParams,
  response: ProjectSettings,
})

export const disableProject = endpoint({
  method: 'DELETE',
  path: '/project/:vcs/:org/:repo/enable',
  summary: 'No longer build a project when it is pushed to',
  access: 'project:write-settings',
  params: ProjectParams,
  response: ProjectSettings,
})

export const deleteBuildCache = endpoint({
  method: 'DELETE',
  path: '/project/:vcs/:org/:repo/build-cache',
  summary: 'Forget the caches of a project',
  access: 'project:write-settings',
  params: ProjectParams,
  response: Type.Object({ message: Type.String(), status: Type.String() }),
})

export const followProjects = endpoint({
  method: 'POST',
  path: '/user/follow-projects',
  summary: 'Follow projects, named by the addresses of their repositories',
  access: 'user',
  body: Type.Object({ 'vcs-urls': Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 100 }) }),
  response: Type.Array(Type.Object({ vcs_url: Type.String(), followed: Type.Boolean(), following: Type.Boolean() })),
})
