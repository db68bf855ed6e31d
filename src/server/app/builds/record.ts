import { type BuildOutcome, type BuildWords, buildWords } from '#core/build-words.ts'
import type { JobStatus } from '#core/job.ts'
import { between, type Instant } from '#kit/brand.ts'
import type { UserRow } from '#server/store/people.ts'
import type { JobRow } from '#server/store/workflows.ts'
import type { Commit, Signature } from '#server/vcs/revision.ts'
import { buildUrl, compareUrl, providerOf, vcsUrl } from '#server/app/addresses.ts'
import { pullRequestsOf } from '#server/app/pull-requests.ts'
import { mostCommits } from '#server/app/commits.ts'
import type { PipelineOptions } from '#server/app/trigger.ts'
import type { World } from '#server/app/world.ts'
import type { BuildFacts, Earlier } from './facts.ts'
import { machineOf } from './machine.ts'
import { identityOf, numberOf } from './people.ts'

/** A build and a job are two views of one row: this is the view of generation 1.1, without steps. */
export const buildRecord = (world: World, facts: BuildFacts) => ({
  ...shallowRecord(world, facts),
  ...restOfRecord(world, facts),
})

/** What lists with `shallow` show of a build. */
export function shallowRecord(world: World, facts: BuildFacts) {
  const { job, pipeline, project, commits, stored } = facts
  const commit = commits?.[0]
  const words = wordsOf(facts)
  const number = job.number ?? 0
  return {
    vcs_url: vcsUrl(world, project),
    build_url: buildUrl(world, project, number),
    build_num: number,
    username: project.organization,
    reponame: project.name,
    branch: job.branch,
    vcs_revision: pipeline.revision,
    vcs_tag: pipeline.tag,
    committer_name: commit?.committer.name ?? null,
    committer_email: commit?.committer.email ?? null,
    committer_date: commit?.committer.date ?? null,
    author_name: commit?.author.name ?? null,
    author_email: commit?.author.email ?? null,
    author_date: commit?.author.date ?? null,
    subject: commit?.subject ?? null,
    body: commit?.body ?? null,
    why: job.why === 'push' ? providerOf(world, project).long : job.why,
    dont_build: job.dont_build,
    queued_at: job.queued_at,
    usage_queued_at: job.created_at,
    start_time: job.started_at,
    stop_time: job.stopped_at,
    build_time_millis: buildTime(job),
    lifecycle: words.lifecycle,
    outcome: words.outcome ?? null,
    status: words.status,
    parallel: job.parallelism,
    platform: '2.0',
    fleet: 'picard',
    user: userRecord(world, facts),
    workflows: {
      job_name: job.name,
      job_id: job.id,
      workflow_id: stored.row.id,
      workspace_id: stored.row.root_id,
      upstream_job_ids: (JSON.parse(job.needs) as { readonly job: string }[]).map((need) => need.job),
      upstream_concurrency_map: {},
      workflow_name: stored.row.name,
    },
    pull_requests: pullRequests(world, facts),
  }
}

/** What the shallow form leaves out. */
export function restOfRecord(world: World, facts: BuildFacts) {
  const { job, pipeline, project, commits, canceler } = facts
  const { outcome } = wordsOf(facts)
  const options = JSON.parse(pipeline.options) as PipelineOptions
  return {
    vcs_type: providerOf(world, project).long,
    retry_of: facts.retryOf,
    retries: facts.retries.length === 0 ? null : [...facts.retries],
    previous: earlierRecord(world, facts.previous),
    previous_successful_build: earlierRecord(world, facts.previousSuccessful),
    canceled: job.status === 'canceled',
    canceler: job.status === 'canceled' && canceler ? identityOf(world, canceler) : null,
    failed: outcome === undefined ? null : hasFailed[outcome],
    timedout: job.status === 'timedout',
    infrastructure_fail: outcome === 'infrastructure_fail',
    fail_reason: job.reason,
    compare: job.retry_of === null ? (compareUrl(world, project, pipeline) ?? null) : null,
    build_parameters: buildParameters(job, options),
    oss: project.public === 1,
    ssh_users: [] as Record<string, unknown>[],
    ssh_enabled: job.why === 'ssh',
    ssh_disabled: job.why !== 'ssh',
    no_dependency_cache: facts.body?.withoutCache === true,
    circle_yml: facts.configuration === undefined ? null : { string: facts.configuration },
    messages: messagesOf(job),
    is_first_green_build: facts.isFirstSuccess,
    job_name: job.name,
    node: null,
    all_commit_details: (commits ?? []).slice(0, mostCommits).map((commit) => commitRecord(world, facts, commit)),
    all_commit_details_truncated: (commits?.length ?? 0) > mostCommits,
    context_ids: [...facts.contexts],
    has_artifacts: facts.hasArtifacts,
    picard: facts.form === 'single' ? machineOf(facts) : null,
  }
}

/** The three words of a build. */
export const wordsOf = ({ job, forerunner }: BuildFacts): BuildWords => words(job, forerunner)

function words(job: JobRow, forerunner: JobRow | undefined): BuildWords {
  const before = forerunner && words(forerunner, undefined).outcome
  return buildWords(job.status as JobStatus, {
    noTests: job.no_tests === 1,
    ...(job.dont_build !== null && { dontBuild: job.dont_build }),
    ...(before !== undefined && { previous: before }),
  })
}

/** What `failed` says, as recorded: of a build that was canceled nobody knows. */
const hasFailed: Readonly<Record<BuildOutcome, boolean | null>> = {
  failed: true,
  timedout: true,
  infrastructure_fail: true,
  canceled: null,
  no_tests: false,
  success: false,
}

/** How long a build ran, in milliseconds; nothing before its end. */
const buildTime = (job: JobRow): number | null =>
  job.started_at === null || job.stopped_at === null
    ? null
    : between(job.started_at as Instant, job.stopped_at as Instant)

/** An earlier build as it stands now: of one that runs, how long it has been running. */
const earlierRecord = (world: World, earlier: Earlier | undefined) =>
  earlier === undefined
    ? null
    : {
        build_num: earlier.job.number ?? 0,
        status: words(earlier.job, earlier.forerunner).status,
        build_time_millis: buildTime({ ...earlier.job, stopped_at: earlier.job.stopped_at ?? world.now() }),
      }

/** What a trigger gave, as text; of a build that its workflow ran, which job it is, as clients look there for it. */
const buildParameters = (job: JobRow, { job: wanted, buildParameters: given }: PipelineOptions) =>
  wanted === undefined ? { SERVICE_JOB: job.name, CIRCLE_JOB: job.name } : (given ?? {})

function messagesOf(job: JobRow) {
  const told = job.denied ?? (job.status === 'failed' || job.status === 'infrastructure_fail' ? job.reason : null)
  return told === null ? [] : [{ type: 'error', message: told }]
}

function pullRequests(world: World, { pipeline, project }: BuildFacts) {
  return pullRequestsOf(world, project, pipeline).map(({ url }) => ({ head_sha: pipeline.revision, url }))
}

const userRecord = (world: World, { project, actor }: BuildFacts) => ({
  is_user: actor !== undefined,
  login: actor?.login ?? 'none',
  name: actor?.name ?? null,
  email: actor?.email ?? null,
  avatar_url: actor?.avatar_url ?? null,
  vcs_type: providerOf(world, project).long,
  id: actor === undefined ? null : numberOf(actor),
})

function commitRecord(world: World, { job, project, actor }: BuildFacts, commit: Commit) {
  return {
    commit: commit.revision,
    branch: job.branch,
    commit_url: `${vcsUrl(world, project)}/commit/${commit.revision}`,
    subject: commit.subject,
    body: commit.body,
    author_name: commit.author.name,
    author_login: loginOf(commit.author, actor),
    author_email: commit.author.email,
    author_date: commit.author.date,
    committer_name: commit.committer.name,
    committer_login: loginOf(commit.committer, actor),
    committer_email: commit.committer.email,
    committer_date: commit.committer.date,
  }
}

/** A commit names people by mail and name: whoever pushed is known by either. */
function loginOf({ name, email }: Signature, actor: UserRow | undefined): string | null {
  if (!actor) return null
  const isSame =
    (actor.email !== null && actor.email.toLowerCase() === email.toLowerCase()) ||
    [actor.name, actor.login].some((known) => known.toLowerCase() === name.toLowerCase())
  return isSame ? actor.login : null
}
