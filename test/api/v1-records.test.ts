import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BuildSummary, ShallowBuild } from '#contract/v1/build.ts'
import { getBuild, listBranchBuilds, listProjectBuilds, retryBuild, triggerBuild } from '#contract/v1/builds.ts'
import { listProjects } from '#contract/v1/projects.ts'
import { getJobPage } from '#contract/rh/job.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { databases } from '#test/world.ts'
import { addressOf, messageOf } from './ask.ts'
import { newHand, type Outcome } from './hand.ts'
import { newPerson, type Person } from './people.ts'
import { type Clone, newClone } from './repository.ts'
import { openService, type Service } from './service.ts'

const job = (name: string) => `  ${name}:\n    machine: true\n    steps:\n      - run: echo ${name}\n`
const config = (version: string) =>
  `version: ${version}\njobs:\n${job('build')}${job('test')}workflows:\n  version: 2\n  main:\n    jobs: [build, test]\n`
const project = { vcs: 'github', org: 'acme', repo: 'web' }

for (const database of databases) {
  describe(`the record of a build on ${database}`, () => {
    let service: Service
    let ada: Person
    let clone: Clone
    let hand: Awaited<ReturnType<typeof newHand>>
    before(async () => {
      service = await openService({ database })
      ada = await newPerson(service.world, 'ada')
      hand = await newHand(service)
      clone = await newClone()
    })
    after(async () => {
      await clone[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    })

    const push = async (subject: string, files: Record<string, string> = {}, branch = 'main') => {
      const revision = await clone.commit(subject, files)
      await clone.git('push', '--quiet', service.remote('acme/web', ada.token), `HEAD:refs/heads/${branch}`)
      return revision
    }
    /** Plays both jobs of a push. */
    const play = async (build: Outcome, tests: Outcome) => {
      for (let played = 0; played < 2;)
        for (const one of await hand.claim()) {
          await hand.finish(one, one.name === 'build' ? build : tests)
          played += 1
        }
    }
    const list = (query: object = {}) =>
      service.call(listProjectBuilds, { params: project, query }, ada.token) as Promise<BuildSummary[]>
    const named = async (name: string) => (await list()).filter(({ job_name }) => job_name === name)
    const single = (build_num: number) => service.call(getBuild, { params: { ...project, build_num } }, ada.token)

    test('tells of each build what came before it on its branch, and whether it repaired what its job had broken', async () => {
      await push('One', { '.service/config.yml': config('2') })
      await play('success', 'failed')
      await push('Two')
      await play('success', 'success')
      const [second, first] = await named('test')
      assert.ok(first && second)
      assert.deepEqual(
        (await list()).map(({ previous }) => previous?.build_num),
        [3, 2, 1, undefined],
      )
      assert.deepEqual([first.status, first.outcome], ['failed', 'failed'])
      assert.deepEqual([second.status, second.outcome, second.previous?.status], ['fixed', 'success', 'success'])
      const third = (await list()).find(({ build_num }) => build_num === 3)
      const { build_num, status, build_time_millis } = await single(2)
      assert.deepEqual(third?.previous, { build_num, status, build_time_millis })
      const [again, green] = await named('build')
      assert.deepEqual([again?.status, again?.is_first_green_build], ['success', false])
      assert.deepEqual([green?.status, green?.is_first_green_build], ['success', true])
      const whole = await single(second.build_num)
      assert.equal(whole.previous_successful_build?.status, 'success')
      assert.equal(whole.circle_yml?.string, config('2'))
      assert.deepEqual([second.previous_successful_build, second.circle_yml], [null, null])
    })

    test('tells what a push brought, from the repository itself', async () => {
      const [old] = await list({ limit: 1 })
      const middle = await clone.commit('Middle\n\nwith a body', {})
      const newest = await push('Newest')
      await play('success', 'success')
      const [build] = await named('build')
      assert.ok(build && old)
      assert.deepEqual(
        build.all_commit_details.map(({ commit, subject, body }) => ({ commit, subject, body })),
        [
          { commit: newest, subject: 'Newest', body: '' },
          { commit: middle, subject: 'Middle', body: 'with a body' },
        ],
      )
      assert.deepEqual(
        [build.subject, build.author_name, build.author_email, build.all_commit_details[0]?.author_login],
        ['Newest', 'Ada', 'ada@example.com', 'ada'],
      )
      assert.equal(build.compare, `${build.vcs_url}/compare/${old.vcs_revision?.slice(0, 12)}...${newest.slice(0, 12)}`)
      assert.equal(
        (await named('build')).at(-1)?.compare,
        `${build.vcs_url}/commit/${(await named('build')).at(-1)?.vcs_revision?.slice(0, 12)}`,
      )
      assert.deepEqual(
        [build.why, build.user.login, build.user.is_user, build.platform, build.parallel],
        ['provider-a', 'ada', true, '2.0', 1],
      )
    })

    test('is the same text however often it is read, until a retry changes it', async () => {
      const [build] = await named('test')
      const before = await list()
      assert.deepEqual(await list(), before)
      assert.equal(build?.retries, null)
      const params = { ...project, build_num: build?.build_num ?? 0 }
      const made = await service.call(retryBuild, { params, body: {} }, ada.token)
      assert.deepEqual(
        [made.lifecycle, made.status, made.outcome, made.retry_of, made.why, made.previous?.build_num, made.compare],
        ['queued', 'queued', null, build?.build_num, 'retry', build?.build_num, null],
      )
      const [, after] = await named('test')
      assert.deepEqual(after?.retries, [made.build_num])
      for (const one of await hand.claim()) await hand.finish(one, 'success')
    })

    test('in its shallow form is the same with fewer members', async () => {
      const [full] = await list({ limit: 1 })
      const [shallow] = (await list({ limit: 1, shallow: 'true' })) as ShallowBuild[]
      for (const [member, value] of Object.entries(shallow ?? {}))
        assert.deepEqual((full as unknown as Record<string, unknown>)[member], value, member)
      const recorded =
        'committer_date body usage_queued_at reponame build_url parallel branch username author_date why user vcs_revision workflows vcs_tag pull_requests build_num committer_email status committer_name subject dont_build lifecycle fleet stop_time build_time_millis start_time platform outcome vcs_url author_name queued_at author_email'
      assert.deepEqual(Object.keys(shallow ?? {}).toSorted(), recorded.split(' ').toSorted())
    })

    test('has every member that was recorded of the real thing', async () => {
      const recorded =
        'all_commit_details all_commit_details_truncated author_date author_email author_name body branch build_num build_parameters build_time_millis build_url canceled canceler circle_yml committer_date committer_email committer_name compare context_ids dont_build fail_reason failed has_artifacts infrastructure_fail is_first_green_build job_name lifecycle messages no_dependency_cache node oss outcome parallel picard platform previous previous_successful_build queued_at reponame retries retry_of ssh_disabled ssh_users start_time status stop_time subject timedout usage_queued_at user username vcs_revision vcs_tag vcs_type vcs_url why workflows'.split(
          ' ',
        )
      const [listed] = await list({ limit: 1 })
      const whole = await single(1)
      for (const member of recorded) assert.ok(member in (listed ?? {}) && member in whole, member)
      for (const member of ['steps', 'owners', 'pull_requests']) assert.ok(member in whole, member)
      const action =
        'truncated index parallel failed infrastructure_fail name bash_command status timedout continue end_time type start_time background exit_code insignificant canceled step run_time_millis has_output source messages'.split(
          ' ',
        )
      for (const member of action) assert.ok(member in (whole.steps[0]?.actions[0] ?? {}), member)
    })

    test('of a commit that asks not to be built says so, and generation 2 knows nothing of it', async () => {
      const pipelines = async () =>
        (
          await service.call(
            listProjectPipelines,
            { params: { provider: 'gh', org: 'acme', repo: 'web' }, query: {} },
            ada.token,
          )
        ).items.map(({ number }) => number)
      const [known, built] = [await pipelines(), (await list({ limit: 100 })).length]
      await push('Words only [ci skip]')
      const [build, ...others] = await list({ limit: 100 })
      assert.equal(others.length, built)
      assert.deepEqual(
        [build?.dont_build, build?.lifecycle, build?.status, build?.outcome, build?.queued_at, build?.start_time],
        ['ci-skip', 'not_run', 'not_run', null, null, null],
      )
      assert.deepEqual(await pipelines(), known)
      const details = await single(build?.build_num ?? 0)
      assert.equal(details.steps.length, 0)
      const page = { params: { id: details.workflows?.job_id ?? '' }, query: {} }
      assert.deepEqual((await service.call(getJobPage, page, ada.token)).steps, [])
      const refused = await service.ask({
        method: 'POST',
        path: addressOf(retryBuild, { ...project, build_num: build?.build_num }),
        token: ada.token,
      })
      assert.deepEqual([refused.status, messageOf(refused)], [400, 'Cannot run this again: it never ran'])
      for (const filter of ['completed', 'successful', 'failed', 'running'])
        assert.ok(!(await list({ filter, limit: 100 })).some(({ dont_build }) => dont_build !== null), filter)
    })

    test('shows a trigger that version 2.1 does not support; a job that does not exist leaves nothing behind', async () => {
      const trigger = (body: object, path = addressOf(triggerBuild, project)) =>
        service.ask({
          method: 'POST',
          path,
          token: ada.token,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(body),
        })
      const rows = async () =>
        (await service.world.db.selectFrom('pipelines').select('id').execute()).length +
        (await service.world.db.selectFrom('jobs').select('id').execute()).length
      const present = await rows()
      const missing = await trigger({ job: 'nothing' })
      assert.equal(missing.status, 400)
      assert.match(messageOf(missing), /nothing/)
      assert.equal(await rows(), present)
      await push('Newer [skip ci]', { '.service/config.yml': config('2.1') }, 'newer')
      const answer = await trigger({}, addressOf(triggerBuild, project) + '/tree/newer')
      assert.equal(answer.status, 400)
      const [, number] = /version 2\.1.*Build (\d+) shows this$/.exec(messageOf(answer)) ?? []
      const shown = await single(Number(number))
      assert.deepEqual(
        [shown.status, shown.outcome, shown.why, shown.branch, shown.job_name, shown.messages.length],
        ['failed', 'failed', 'api', 'newer', 'Build Error', 1],
      )
      assert.equal(shown.steps[0]?.name, 'Config Processing Error')
      const [listed] = await service.call(
        listBranchBuilds,
        { params: { ...project, '*': 'newer' }, query: { filter: 'failed' } },
        ada.token,
      )
      assert.equal(listed?.build_num, Number(number))
    })

    test('is told by its branch, encoded, with what runs and what ran last', async () => {
      await push('Far [skip ci]', { '.service/config.yml': config('2') }, 'feature/a.b')
      await service.call(triggerBuild, { params: project, body: {} }, ada.token)
      const [followed] = await service.call(listProjects, { query: {} }, ada.token)
      const { main } = followed?.branches ?? {}
      assert.ok(main && 'feature%2Fa%2Eb' in (followed?.branches ?? {}))
      assert.equal(main.recent_builds.length, 5)
      const numbers = main.recent_builds.map(({ build_num }) => build_num)
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => b - a),
      )
      assert.deepEqual(
        [main.running_builds.length, main.running_builds[0]?.outcome, main.last_success?.outcome],
        [1, null, 'success'],
      )
      assert.deepEqual([main.last_non_success?.outcome, main.pusher_logins], ['failed', ['ada']])
      assert.equal(main.latest_completed_workflows['main']?.status, 'success')
    })
  })
}
