import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Build, BuildSummary, CommitDetails, ListedBuild, ShallowBuild } from './build.ts'
import { Action } from './step.ts'

/** §2.2, in its order. */
const interfaceFields = `vcs_url build_url build_num branch vcs_revision vcs_tag vcs_type committer_name committer_email
  committer_date author_name author_email author_date subject body why dont_build queued_at usage_queued_at start_time
  stop_time build_time_millis username reponame lifecycle outcome status retry_of previous previous_successful_build
  canceled failed timedout infrastructure_fail parallel compare build_parameters oss fail_reason ssh_users ssh_enabled
  ssh_disabled retries no_dependency_cache circle_yml messages is_first_green_build job_name canceler node user
  all_commit_details workflows pull_requests fleet platform`

/** What was recorded of the original service beyond that. */
const recordedFields = 'all_commit_details_truncated context_ids has_artifacts picard'

const shallowFields = `committer_date body usage_queued_at reponame build_url parallel branch username author_date why
  user vcs_revision workflows vcs_tag pull_requests build_num committer_email status committer_name subject dont_build
  lifecycle fleet stop_time build_time_millis start_time platform outcome vcs_url author_name queued_at author_email`

const commitFields = `author_name commit branch author_login committer_login committer_name body author_date committer_date
  commit_url committer_email author_email subject`

const actionFields = `name bash_command run_time_millis start_time end_time exit_code type index status step messages
  source failed continue parallel timedout infrastructure_fail truncated output_url background insignificant canceled
  has_output`

const words = (text: string) => text.split(/\s+/).toSorted()
const fieldsOf = (schema: { readonly properties: object }) => Object.keys(schema.properties).toSorted()

describe('a build of generation 1.1', () => {
  test('has every field of the interface and every one that was recorded', () => {
    assert.deepEqual(fieldsOf(BuildSummary), words(`${interfaceFields} ${recordedFields}`))
  })

  test('whole has its steps and owners too', () => {
    assert.deepEqual(fieldsOf(Build), words(`${interfaceFields} ${recordedFields} steps owners`))
    assert.deepEqual(fieldsOf(Action), words(actionFields))
    assert.deepEqual(fieldsOf(CommitDetails), words(commitFields))
  })

  test('is reduced in a shallow list, and nothing else is required of a list', () => {
    assert.deepEqual(fieldsOf(ShallowBuild), words(shallowFields))
    assert.deepEqual(fieldsOf(ListedBuild), fieldsOf(BuildSummary))
    const required = words(shallowFields).filter((field) => field !== 'pull_requests')
    assert.deepEqual(ListedBuild.required.toSorted(), required)
  })
})
