import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OpenMap, Time, Uuid } from '#contract/endpoint.ts'
import { Step } from './step.ts'
import { Identity } from './user.ts'

/** How far a build has come. */
export const lifecycles = ['queued', 'not_run', 'not_running', 'running', 'finished'] as const

/** How a build ended. */
export const outcomes = ['canceled', 'infrastructure_fail', 'timedout', 'failed', 'no_tests', 'success'] as const

/** Lifecycle and outcome in one word, and what became of it since. */
export const buildStatuses = [
  'retried',
  'canceled',
  'infrastructure_fail',
  'timedout',
  'not_run',
  'running',
  'failed',
  'queued',
  'not_running',
  'no_tests',
  'fixed',
  'success',
] as const

const Text = Nullable(Type.String())
const Moment = Nullable(Time)
const Flag = Nullable(Type.Boolean())

/** Who caused a build; the login is `none` where nobody is known. */
export const BuildUser = Type.Object({
  is_user: Type.Boolean(),
  login: Type.String(),
  name: Text,
  email: Type.Optional(Text),
  avatar_url: Type.Optional(Text),
  vcs_type: Type.Optional(Type.String()),
  id: Type.Optional(Nullable(Type.Integer())),
})
export type BuildUser = Static<typeof BuildUser>

/** An earlier build, as a later one names it. */
export const PreviousBuild = Type.Object({
  build_num: Type.Integer(),
  status: OneOf(...buildStatuses),
  build_time_millis: Nullable(Type.Integer()),
})
export type PreviousBuild = Static<typeof PreviousBuild>

/** One commit that a build brought in. */
export const CommitDetails = Type.Object({
  commit: Type.String(),
  branch: Text,
  commit_url: Text,
  subject: Text,
  body: Text,
  author_name: Text,
  author_login: Text,
  author_email: Text,
  author_date: Moment,
  committer_name: Text,
  committer_login: Text,
  committer_email: Text,
  committer_date: Moment,
})
export type CommitDetails = Static<typeof CommitDetails>

/** The workflow around a build. */
export const BuildWorkflow = Type.Object({
  job_name: Type.String(),
  job_id: Uuid,
  workflow_id: Uuid,
  workspace_id: Uuid,
  upstream_job_ids: Type.Array(Uuid),
  upstream_concurrency_map: OpenMap,
  workflow_name: Type.String(),
})
export type BuildWorkflow = Static<typeof BuildWorkflow>

const PullRequests = Type.Array(Type.Object({ head_sha: Type.String(), url: Type.String() }))

/** What every form of a build says. */
const said = {
  vcs_url: Type.String(),
  build_url: Type.String(),
  build_num: Type.Integer(),
  username: Type.String(),
  reponame: Type.String(),
  branch: Text,
  vcs_revision: Text,
  vcs_tag: Text,
  committer_name: Text,
  committer_email: Text,
  committer_date: Moment,
  author_name: Text,
  author_email: Text,
  author_date: Moment,
  subject: Text,
  body: Text,
  why: Type.String(),
  dont_build: Text,
  queued_at: Moment,
  usage_queued_at: Moment,
  start_time: Moment,
  stop_time: Moment,
  build_time_millis: Nullable(Type.Integer()),
  lifecycle: OneOf(...lifecycles),
  outcome: Nullable(OneOf(...outcomes)),
  status: OneOf(...buildStatuses),
  parallel: Type.Integer(),
  platform: Type.String(),
  fleet: Text,
  user: BuildUser,
  workflows: Nullable(BuildWorkflow),
}

/** What the shallow form leaves out. */
const saidInFull = {
  vcs_type: Type.String(),
  retry_of: Nullable(Type.Integer()),
  retries: Nullable(Type.Array(Type.Integer())),
  previous: Nullable(PreviousBuild),
  previous_successful_build: Nullable(PreviousBuild),
  canceled: Type.Boolean(),
  canceler: Nullable(Identity),
  failed: Flag,
  timedout: Type.Boolean(),
  infrastructure_fail: Type.Boolean(),
  fail_reason: Text,
  compare: Text,
  build_parameters: Nullable(OpenMap),
  oss: Type.Boolean(),
  ssh_users: Type.Array(OpenMap),
  ssh_enabled: Flag,
  ssh_disabled: Type.Boolean(),
  no_dependency_cache: Flag,
  circle_yml: Nullable(Type.Object({ string: Type.String(), errors: Type.Optional(Type.Array(Type.Unknown())) })),
  messages: Type.Array(Type.Object({ type: Type.String(), message: Type.String() })),
  is_first_green_build: Type.Boolean(),
  job_name: Text,
  node: Nullable(Type.Array(OpenMap)),
  all_commit_details: Type.Array(CommitDetails),
  all_commit_details_truncated: Type.Boolean(),
  context_ids: Type.Array(Uuid),
  has_artifacts: Type.Boolean(),
  picard: Nullable(OpenMap),
}

/** A build as lists with `shallow` show it. */
export const ShallowBuild = Type.Object({ ...said, pull_requests: PullRequests })
export type ShallowBuild = Static<typeof ShallowBuild>

/** A build without its steps: the answer to triggers, retries and cancels. */
export const BuildSummary = Type.Object({ ...said, ...saidInFull, pull_requests: Type.Optional(PullRequests) })
export type BuildSummary = Static<typeof BuildSummary>

/** A build of a list, in either form: one schema and not a union, so that a mistake in the full form is not sent as the shallow one. */
export const ListedBuild = Type.Object({
  ...said,
  ...Type.Partial(Type.Object(saidInFull)).properties,
  pull_requests: Type.Optional(PullRequests),
})
export type ListedBuild = BuildSummary | ShallowBuild

/** A build whole, steps included; also the payload of build notifications. */
export const Build = Type.Object({
  ...said,
  ...saidInFull,
  pull_requests: PullRequests,
  owners: Type.Array(Type.String()),
  steps: Type.Array(Step),
})
export type Build = Static<typeof Build>
