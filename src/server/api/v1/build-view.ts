import type { BuildSummary, ShallowBuild } from '#contract/v1/build.ts'
import { type BuildWords, buildWords } from '#core/build-words.ts'
import type { JobStatus } from '#core/job.ts'
import { between, type Instant } from '#kit/brand.ts'
import { buildUrl, providerOf, vcsUrl } from '#server/app/addresses.ts'
import type { BuildFacts } from '#server/app/builds.ts'
import type { JobRow, UserRow } from '#server/app/find.ts'
import type { World } from '#server/app/world.ts'

/** A build and a job are two views of one row: this is the view of generation 1.1. */
export function summaryView(world: World, facts: BuildFacts): BuildSummary {
  const { job, pipeline, project, revision } = facts
  const words = wordsOf(facts)
  const options = JSON.parse(pipeline.options) as { readonly buildParameters?: Record<string, string> }
  return {
    ...shared(world, facts, words),
    vcs_type: providerOf(world, project).long,
    retry_of: facts.retryOf,
    retries: facts.retries.length === 0 ? null : [...facts.retries],
    previous: previousView(facts.previous),
    previous_successful_build: previousView(facts.previousSuccessful),
    canceled: job.status === 'canceled',
    canceler:
      job.status === 'canceled' && facts.canceler ? { login: facts.canceler.login, name: facts.canceler.name } : null,
    failed: words.outcome === undefined ? null : words.outcome === 'failed' || words.outcome === 'timedout',
    timedout: job.status === 'timedout',
    infrastructure_fail: words.outcome === 'infrastructure_fail',
    fail_reason: job.reason,
    compare: null,
    build_parameters: options.buildParameters ?? {},
    oss: project.public === 1,
    ssh_users: [],
    ssh_enabled: false,
    ssh_disabled: true,
    no_dependency_cache: null,
    circle_yml: null,
    messages: job.denied === null ? [] : [{ type: 'error', message: job.denied }],
    is_first_green_build: false,
    job_name: job.name,
    node: null,
    all_commit_details: revision ? [commitView(world, facts, revision)] : [],
    all_commit_details_truncated: false,
    context_ids: [],
    has_artifacts: false,
    picard: { resource_class: { class: job.resource_class }, executor: 'shell' },
  }
}

/** A build as the answer to its trigger shows it: not running yet, even where the queue has it already (§3). */
export function triggeredView(world: World, facts: BuildFacts): BuildSummary {
  const view = summaryView(world, facts)
  return view.lifecycle === 'queued' ? { ...view, lifecycle: 'not_running', status: 'not_running' } : view
}

/** What lists with `shallow` show. */
export const shallowView = (world: World, facts: BuildFacts): ShallowBuild => ({
  ...shared(world, facts, wordsOf(facts)),
  pull_requests: [],
})

function shared(world: World, facts: BuildFacts, words: BuildWords): ShallowBuild {
  const { job, pipeline, project, revision, actor, stored } = facts
  const commit = revision?.commit
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
    dont_build: null,
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
    fleet: null,
    user: userView(world, facts, actor),
    workflows: {
      job_name: job.name,
      job_id: job.id,
      workflow_id: stored.row.id,
      workspace_id: stored.row.root_id,
      upstream_job_ids: (JSON.parse(job.needs) as { readonly job: string }[]).map((need) => need.job),
      upstream_concurrency_map: {},
      workflow_name: stored.row.name,
    },
    pull_requests: [],
  }
}

function wordsOf({ job, previous }: BuildFacts): BuildWords {
  const before = previous && buildWords(previous.status as JobStatus).outcome
  return buildWords(job.status as JobStatus, before === undefined ? {} : { previous: before })
}

/** How long a build ran, in milliseconds; nothing before its end. */
export const buildTime = (job: JobRow): number | null =>
  job.started_at === null || job.stopped_at === null
    ? null
    : between(job.started_at as Instant, job.stopped_at as Instant)

const previousView = (job: JobRow | undefined) =>
  job === undefined
    ? null
    : {
        build_num: job.number ?? 0,
        status: buildWords(job.status as JobStatus).status,
        build_time_millis: buildTime(job),
      }

const userView = (world: World, { project }: BuildFacts, actor: UserRow | undefined) => ({
  is_user: actor !== undefined,
  login: actor?.login ?? 'none',
  name: actor?.name ?? null,
  email: actor?.email ?? null,
  avatar_url: actor?.avatar_url ?? null,
  vcs_type: providerOf(world, project).long,
  id: actor?.id ?? null,
})

function commitView(
  world: World,
  { project, actor }: BuildFacts,
  { revision, commit }: NonNullable<BuildFacts['revision']>,
) {
  return {
    commit: revision,
    commit_url: `${vcsUrl(world, project)}/commit/${revision}`,
    subject: commit.subject,
    body: commit.body,
    author_name: commit.author.name,
    author_login: actor?.login ?? null,
    author_email: commit.author.email,
    author_date: commit.author.date,
    committer_name: commit.committer.name,
    committer_login: actor?.login ?? null,
    committer_email: commit.committer.email,
    committer_date: commit.committer.date,
  }
}
