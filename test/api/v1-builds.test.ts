import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BuildSummary } from '#contract/v1/build.ts'
import {
  buildProject,
  cancelBuild,
  getBuild,
  listProjectBuilds,
  listRecentBuilds,
  retryBuild,
  triggerBranchBuild,
  triggerBuild,
} from '#contract/v1/builds.ts'
import { followProject, listProjects, unfollowProject } from '#contract/v1/projects.ts'
import { addressOf, messageOf } from './ask.ts'
import { newHand } from './hand.ts'
import { newPerson, type Person } from './people.ts'
import { openService, type Service } from './service.ts'

const job = (name: string) => `  ${name}:\n    machine: true\n    steps:\n      - run: echo ${name}\n`
const config = `version: 2\njobs:\n${job('build')}${job('test')}workflows:\n  version: 2\n  main:\n    jobs: [build, test]\n`
const project = { vcs: 'github', org: 'acme', repo: 'web' }

describe('builds of generation 1.1', () => {
  let service: Service
  let ada: Person
  let hand: Awaited<ReturnType<typeof newHand>>
  let revision: string
  before(async () => {
    service = await openService()
    ada = await newPerson(service.world, 'ada')
    hand = await newHand(service)
    revision = await service.push(
      'acme/web',
      { '.service/config.yml': config },
      ['main', 'side', 'tags/v1.0'],
      ada.token,
    )
    // Two branches and a tag of two jobs each.
    for (let played = 0; played < 4;) {
      for (const one of await hand.claim()) {
        await hand.finish(one, one.name === 'test' ? 'failed' : 'success')
        played += 1
      }
    }
  })
  after(() => service[Symbol.asyncDispose]())

  const trigger = (body: object) => service.call(triggerBuild, { params: project, body }, ada.token)
  const list = (query: object) =>
    service.call(listProjectBuilds, { params: project, query }, ada.token) as Promise<BuildSummary[]>
  const build = (build_num: number) => service.call(getBuild, { params: { ...project, build_num } }, ada.token)

  test('are triggered alone, for the head of the default branch, and the answer says where they are', async () => {
    const path = addressOf(triggerBuild, project)
    const answer = await service.ask({
      method: 'POST',
      path,
      token: ada.token,
      headers: { accept: 'application/json' },
    })
    const made = JSON.parse(answer.text) as BuildSummary
    const { branch, vcs_revision, why, lifecycle, status, outcome, username, reponame, workflows } = made
    assert.deepEqual(
      { branch, vcs_revision, why, lifecycle, status, outcome, username, reponame, job: workflows?.job_name },
      {
        branch: 'main',
        vcs_revision: revision,
        why: 'api',
        lifecycle: 'not_running',
        status: 'not_running',
        outcome: null,
        username: 'acme',
        reponame: 'web',
        job: 'build',
      },
    )
    assert.match(
      answer.headers.location ?? '',
      new RegExp(`/api/v1\\.1/project/provider-a/acme/web/${made.build_num}$`),
    )
    const found = await service.ask({
      method: 'GET',
      path: new URL(answer.headers.location ?? '', service.base).pathname,
      token: ada.token,
      headers: { accept: '*/*' },
    })
    assert.equal((JSON.parse(found.text) as BuildSummary).build_num, made.build_num)
  })

  test('are triggered for a branch, a tag, a revision and another job', async () => {
    assert.equal(
      (await service.call(triggerBranchBuild, { params: { ...project, '*': 'side' }, body: {} }, ada.token)).branch,
      'side',
    )
    const tagged = await trigger({ tag: 'v1.0' })
    assert.deepEqual([tagged.vcs_tag, tagged.branch], ['v1.0', null])
    assert.equal((await trigger({ revision })).vcs_revision, revision)
    assert.equal((await trigger({ job: 'test' })).workflows?.job_name, 'test')
    assert.equal(
      (await trigger({ build_parameters: { CIRCLE_JOB: 'test', A: 1, B: { c: [true] } } })).workflows?.job_name,
      'test',
    )
    assert.deepEqual((await trigger({ build_parameters: { A: 1, B: { c: [true] } } })).build_parameters, {
      A: '1',
      B: '{"c":[true]}',
    })
    assert.equal((await trigger({ tag: null, revision: null, parallel: null, build_parameters: null })).branch, 'main')
  })

  test('are refused where the target contradicts itself or does not exist', async () => {
    const refused = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const answer = await service.ask({ method: 'POST', path, token: ada.token, headers, body: JSON.stringify(body) })
      return `${answer.status} ${messageOf(answer)}`
    }
    const path = addressOf(triggerBuild, project)
    assert.match(await refused(path, { tag: 'v1.0', revision }), /^400 .*excludes/)
    assert.equal(await refused(path, { tag: 'v9' }), '400 Tag not found')
    assert.equal(await refused(`${path}/tree/none`, {}), '400 Branch not found')
    assert.match(await refused(path, { revision: 'main' }), /^400 Cannot use "main" as the name of a revision/)
    assert.match(await refused(path, { job: 'none' }), /^400 Cannot trigger a build/)
    await service.push(
      'acme/new',
      { '.service/config.yml': config.replace('version: 2\n', 'version: 2.1\n') },
      ['main'],
      ada.token,
    )
    assert.match(await refused('/api/v1.1/project/gh/acme/new', {}), /^400 .*must not declare version 2\.1/)
    const answer = await service.call(
      buildProject,
      { params: { ...project, repo: 'new' }, query: {}, body: { branch: 'main' } },
      ada.token,
    )
    assert.deepEqual(answer, { status: 200, body: 'Build created' })
  })

  test('are retried, and the retry names what it retries', async () => {
    const [failed] = await list({ filter: 'failed', limit: 1 })
    assert.ok(failed)
    const retry = await service.call(
      retryBuild,
      { params: { ...project, build_num: failed.build_num }, body: {} },
      ada.token,
    )
    const { lifecycle, status, outcome, retry_of, why } = retry
    assert.deepEqual(
      { lifecycle, status, outcome, retry_of, why },
      { lifecycle: 'queued', status: 'queued', outcome: null, retry_of: failed.build_num, why: 'retry' },
    )
    assert.ok((await build(failed.build_num)).retries?.includes(retry.build_num))
  })

  test('are canceled once, and stay as they ended when it is too late', async () => {
    const { build_num } = await trigger({})
    const cancel = () => service.call(cancelBuild, { params: { ...project, build_num } }, ada.token)
    const first = await cancel()
    assert.deepEqual(
      [first.status, first.outcome, first.canceled, first.canceler?.login],
      ['canceled', 'canceled', true, 'ada'],
    )
    assert.deepEqual(await cancel(), first)
    const [done] = await list({ filter: 'successful', limit: 1 })
    assert.ok(done)
    const late = await service.call(cancelBuild, { params: { ...project, build_num: done.build_num } }, ada.token)
    assert.deepEqual([late.status, late.outcome, late.canceled], ['success', 'success', false])
  })

  test('are listed newest first, narrowed by filters, and filters that nobody knows are ignored', async () => {
    const all = await list({ limit: 100 })
    const numbers = all.map(({ build_num }) => build_num)
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    )
    const outcomes = async (filter: string) =>
      [...new Set((await list({ filter, limit: 100 })).map(({ outcome }) => outcome))].toSorted()
    assert.deepEqual(await outcomes('successful'), ['success'])
    assert.deepEqual(await outcomes('failed'), ['failed'])
    assert.deepEqual(await outcomes('completed'), ['canceled', 'failed', 'success'])
    assert.deepEqual(await outcomes('running'), [null])
    for (const filter of ['None', 'nothing', '']) assert.equal((await list({ filter, limit: 100 })).length, all.length)
    assert.deepEqual(
      (await list({ limit: 2, offset: 1 })).map(({ build_num }) => build_num),
      numbers.slice(1, 3),
    )
    assert.deepEqual(await list({ limit: 0 }), [])
    assert.deepEqual(await list({ offset: 100_000 }), [])
    assert.ok(all.every(({ previous_successful_build: previous }) => previous === null))
  })

  test('are at most a hundred in a list, and thirty unless more are asked for', async () => {
    const present = (await list({ limit: 100 })).length
    for (let count = present; count < 101; count += 1) await trigger({})
    assert.equal((await list({ limit: 5000 })).length, 100)
    assert.equal((await list({})).length, 30)
    assert.equal((await service.call(listRecentBuilds, { query: { limit: 101 } }, ada.token)).length, 100)
  })

  test('are shown with fewer fields where exactly that is asked for', async () => {
    const [full] = await list({ limit: 1 })
    const [shallow] = await list({ limit: 1, shallow: 'true' })
    assert.ok(full && shallow)
    assert.ok('all_commit_details' in full && !('all_commit_details' in shallow) && 'pull_requests' in shallow)
    for (const ignored of ['false', 'True', '1', 'None'])
      assert.deepEqual(await list({ limit: 1, shallow: ignored }), [full])
  })

  test('begin when a project that was never built is followed, and following is seen and ended', async () => {
    const max = await newPerson(service.world, 'max', true)
    const follow = () => service.call(followProject, { params: project }, max.token)
    assert.deepEqual(await follow(), { followed: true, following: true, workflow: false, first_build: null })
    assert.deepEqual(
      (await service.call(listProjects, { query: {} }, max.token)).map(({ reponame }) => reponame),
      ['web'],
    )
    assert.deepEqual(await service.call(unfollowProject, { params: project }, max.token), {
      followed: false,
      following: false,
    })
    assert.deepEqual(await service.call(listProjects, { query: {} }, max.token), [])
    await service.push('acme/quiet', { '.service/config.yml': config }, ['main'], ada.token, 'Begin [skip ci]')
    const { first_build } = await service.call(followProject, { params: { ...project, repo: 'quiet' } }, max.token)
    assert.deepEqual(
      [first_build?.build_num, first_build?.lifecycle, first_build?.status, first_build?.why],
      [2, 'not_running', 'not_running', 'first-build'],
    )
  })
})
