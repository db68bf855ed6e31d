import { Type } from 'typebox'
import { endpoint, Nullable, OpenMap } from '#contract/endpoint.ts'
import { Output } from '#contract/rh/output.ts'
import { Build, BuildSummary, ListedBuild } from './build.ts'
import { page } from './page.ts'
import { BranchParams, BuildParams, projectParams, ProjectParams } from './path.ts'

/** Unknown words are ignored: real clients send `None`. */
const filtered = {
  ...page,
  filter: Type.Optional(Type.String()),
  /** Statuses with commas between them, instead of a filter. */
  status: Type.Optional(Type.String()),
}

const wanted = {
  revision: Type.Optional(Nullable(Type.String())),
  /** Taken and ignored, whatever it is: the configuration says how many nodes there are. */
  parallel: Type.Optional(Type.Unknown()),
  build_parameters: Type.Optional(Nullable(OpenMap)),
  job: Type.Optional(Nullable(Type.String())),
  /** A configuration to run instead of the one in the repository, as its text. */
  config: Type.Optional(Nullable(Type.String())),
}

const Head = Type.Object({
  revision: Type.Optional(Nullable(Type.String())),
  branch: Type.Optional(Nullable(Type.String())),
  tag: Type.Optional(Nullable(Type.String())),
})

const HeadQuery = Type.Object({
  revision: Type.Optional(Type.String()),
  branch: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
})

export const listRecentBuilds = endpoint({
  method: 'GET',
  path: '/recent-builds',
  summary: 'List the builds of all projects that the caller follows, newest first',
  access: 'user',
  query: Type.Object(page),
  response: Type.Array(ListedBuild),
})

export const listProjectBuilds = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo',
  summary: 'List the builds of a project, newest first',
  access: 'project-or-public:view-builds',
  params: ProjectParams,
  query: Type.Object(filtered),
  response: Type.Array(ListedBuild),
})

export const listBranchBuilds = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/tree/*',
  summary: 'List the builds of a branch, newest first',
  access: 'project-or-public:view-builds',
  params: BranchParams,
  query: Type.Object(filtered),
  response: Type.Array(ListedBuild),
})

export const getBuild = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/:build_num',
  summary: 'Read a build with its steps',
  access: 'project-or-public:view-builds',
  params: BuildParams,
  response: Build,
})

export const triggerBuild = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo',
  summary: 'Trigger a build of a project',
  access: 'project:trigger-builds',
  audited: false,
  status: 201,
  params: ProjectParams,
  body: Type.Object({ ...wanted, tag: Type.Optional(Nullable(Type.String())) }),
  response: BuildSummary,
})

export const triggerBranchBuild = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/tree/*',
  summary: 'Trigger a build of a branch',
  access: 'project:trigger-builds',
  audited: false,
  status: 201,
  params: BranchParams,
  body: Type.Object(wanted),
  response: BuildSummary,
})

export const buildProject = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/build',
  summary: 'Run the workflows of a project as its provider would',
  access: 'user',
  audited: false,
  params: ProjectParams,
  query: HeadQuery,
  body: Head,
  response: Type.Object({ status: Type.Integer(), body: Type.String() }),
})

export const retryBuild = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/:build_num/retry',
  summary: 'Run a build again',
  access: 'project:trigger-builds',
  params: BuildParams,
  body: Type.Object({ 'no-cache': Type.Optional(Nullable(Type.Boolean())) }),
  response: BuildSummary,
})

export const retryBuildWithSsh = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/:build_num/ssh',
  summary: 'Run a build again with SSH enabled',
  access: 'project:trigger-builds',
  params: BuildParams,
  response: BuildSummary,
})

export const cancelBuild = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/:build_num/cancel',
  summary: 'Cancel a build; one that has ended stays as it is',
  access: 'project:trigger-builds',
  params: BuildParams,
  response: BuildSummary,
})

export const addSshUser = endpoint({
  method: 'POST',
  path: '/project/:vcs/:org/:repo/:build_num/ssh-users',
  summary: 'Let the caller into the containers of a build',
  access: 'user',
  params: BuildParams,
  response: BuildSummary,
})

export const readStepOutput = endpoint({
  method: 'GET',
  path: '/project/:vcs/:org/:repo/:build_num/output/:step/:index',
  summary: 'Read what one node printed in a step of a build, in pieces or as text',
  access: 'project-or-public:view-builds',
  form: 'stream',
  params: projectParams({
    build_num: Type.Integer({ minimum: 1 }),
    step: Type.Integer({ minimum: 0 }),
    index: Type.Integer({ minimum: 0 }),
  }),
  /** `true`: plain text. */
  query: Type.Object({ file: Type.Optional(Type.String()) }),
  response: Output,
})
