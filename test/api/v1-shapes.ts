import { buildStatuses, lifecycles, outcomes } from '#contract/v1/build.ts'
import type { Shape } from './shape.ts'

/*
 * The resources of generation 1.1, member by member, as the interface (§2.2) and recordings of the original tell them.
 */

const text = 'string|null'
const moment = 'time|null'
const flag = 'boolean|null'
const earlier = 'null|map'

const all = (members: string, shape: Shape): Record<string, Shape> =>
  Object.fromEntries(members.split(' ').map((member) => [member, shape]))

export const user: Shape = {
  basic_email_prefs: 'smart|none|all',
  trial_end: 'time',
  created_at: 'time',
  identities: 'map',
  projects: 'map',
  organization_prefs: 'map',
  ...all('login analytics_id pusher_id', 'string'),
  ...all('user_key_fingerprint plan name avatar_url selected_email gravatar_id hosting_api_key', text),
  ...all('days_left_in_trial sign_in_count parallelism containers num_projects_followed', 'integer'),
  ...all('github_id bitbucket', 'integer|null'),
  ...all('admin student dev_admin in_beta_program', 'boolean'),
  ...all('enrolled_betas all_emails', 'array'),
}

/** The form of lists with `shallow`. */
export const shallow: Record<string, Shape> = {
  ...all('vcs_url build_url username reponame why platform fleet', 'string'),
  ...all('build_num parallel', 'integer'),
  ...all(
    'branch vcs_revision vcs_tag committer_name committer_email author_name author_email subject body dont_build',
    text,
  ),
  ...all('committer_date author_date queued_at usage_queued_at start_time stop_time', moment),
  build_time_millis: 'integer|null',
  lifecycle: lifecycles.join('|'),
  outcome: ['null', ...outcomes].join('|'),
  status: buildStatuses.join('|'),
  user: {
    is_user: 'boolean',
    login: 'string',
    vcs_type: 'string',
    ...all('avatar_url name email', text),
    id: 'integer|null',
  },
  workflows: {
    ...all('job_name workflow_name', 'string'),
    ...all('job_id workflow_id workspace_id', 'uuid'),
    upstream_job_ids: ['uuid'],
    upstream_concurrency_map: 'map',
  },
}

export const summary: Record<string, Shape> = {
  ...shallow,
  vcs_type: 'string',
  ...all('canceled timedout infrastructure_fail oss ssh_disabled is_first_green_build', 'boolean'),
  ...all('all_commit_details_truncated has_artifacts', 'boolean'),
  ...all('failed ssh_enabled no_dependency_cache', flag),
  ...all('compare fail_reason job_name', text),
  ...all('previous previous_successful_build canceler circle_yml build_parameters picard', earlier),
  ...all('ssh_users messages context_ids', 'array'),
  retry_of: 'integer|null',
  retries: 'array|null',
  node: 'array|null',
  all_commit_details: [
    {
      commit: 'string',
      ...all('branch commit_url subject body author_name author_login author_email', text),
      ...all('committer_name committer_login committer_email', text),
      ...all('author_date committer_date', moment),
    },
  ],
}

export const action: Shape = {
  ...all('name status', 'string'),
  ...all('bash_command source', text),
  ...all('run_time_millis exit_code', 'integer|null'),
  ...all('start_time end_time', moment),
  type: 'infrastructure|machine|checkout|dependencies|database|test|deployment|teardown',
  ...all('index step', 'integer'),
  messages: ['string'],
  ...all('failed timedout infrastructure_fail canceled', flag),
  continue: 'null|string|boolean',
  ...all('parallel background insignificant truncated has_output', 'boolean'),
}

/** Who somebody is at a provider. */
export const identity: Shape = {
  ...all('login name type provider_id domain', 'string'),
  avatar_url: text,
  ...all('id external_id', 'integer'),
  ...all('user? authorized?', 'boolean'),
}

/** Who may come into a build. */
export const visitor: Shape = { ...all('login type', 'string'), ...all('github_id external_id', 'integer') }

/** On what a build ran. */
export const machine: Shape = {
  build_agent: { image: text, properties: 'map' },
  resource_class: { class: 'string', cpu: 'number|null', ram: 'integer|null' },
  executor: 'string',
}

/** What was never recorded of a list but null, as it would make it long: strict clients have no place for more. */
export const listed: Record<string, Shape> = {
  ...summary,
  ...all('picard circle_yml previous_successful_build', 'null'),
}

export const full: Record<string, Shape> = {
  ...summary,
  pull_requests: [{ head_sha: 'string', url: 'string' }],
  owners: ['string'],
  steps: [{ name: 'string', actions: [action] }],
}

const branchBuild: Shape = {
  ...all('pushed_at added_at', 'time'),
  vcs_revision: text,
  build_num: 'integer',
  outcome: text,
  status: 'string',
  ...all('is_workflow_job is_2_0_job', 'boolean'),
}

export const branch: Record<string, Shape> = {
  pusher_logins: ['string'],
  recent_builds: [branchBuild],
  running_builds: [branchBuild],
  ...all('latest_workflows latest_completed_workflows', 'map'),
  is_using_workflows: 'boolean',
}

export const followedProject: Record<string, Shape> = {
  ...all('vcs_url vcs_type username reponame', 'string'),
  ...all('followed following oss has_usable_key', 'boolean'),
  ...all('default_branch language slack_webhook_url irc_server hipchat_room', text),
  ...all('setup dependencies test compile extra', 'string'),
  parallel: 'integer',
  ssh_keys: [{ hostname: text, public_key: 'string', fingerprint: 'string' }],
  feature_flags: 'map',
  scopes: ['string'],
  branches: 'map',
}

export const artifact: Shape = { ...all('path pretty_path url', 'string'), node_index: 'integer' }
export const tests: Shape = {
  tests: [
    {
      ...all('message file source source_type classname', text),
      name: 'string',
      run_time: 'number',
      result: 'success|failure|skipped|error',
    },
  ],
  exceptions: 'array|null',
}
export const checkoutKey: Shape = {
  ...all('public_key fingerprint', 'string'),
  type: 'deploy-key|vcs-user-key',
  preferred: 'boolean',
  login: text,
  time: 'time',
}
export const variable: Shape = all('name value', 'string')
export const message: Shape = { message: 'string' }
