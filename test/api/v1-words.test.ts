import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JobSpec } from '#contract/agent.ts'
import type { BuildSummary } from '#contract/v1/build.ts'
import { cancelBuild, listBranchBuilds, listProjectBuilds, retryBuild, triggerBuild } from '#contract/v1/builds.ts'
import { followProject, listProjects, unfollowProject } from '#contract/v1/projects.ts'
import { type Acme, acme as project, openAcme } from './acme.ts'
import type { Outcome } from './hand.ts'
import { deviations } from './shape.ts'
import { summary } from './v1-shapes.ts'

const config = `version: 2
jobs:
  build:
    machine: true
    branches: {ignore: [quiet]}
    steps:
      - restore_cache: {keys: [a, b]}
      - run: make
`

describe('the words of a build', () => {
  let service: Acme['service']
  let ada: Acme['ada']
  let hand: Acme['hand']
  before(async () => {
    ;({ service, ada, hand } = await openAcme(config))
  })
  after(() => service[Symbol.asyncDispose]())

  const list = (query: object = {}) =>
    service.call(listProjectBuilds, { params: project, query }, ada.token) as Promise<BuildSummary[]>
  const told = ({ lifecycle, outcome, status }: BuildSummary) => [lifecycle, outcome, status]
  const newest = async () => (await list({ limit: 1 }))[0] as BuildSummary
  const ofBranch = async (branch: string) =>
    (await service.call(
      listBranchBuilds,
      { params: { ...project, '*': branch }, query: {} },
      ada.token,
    )) as BuildSummary[]

  test('tell how it ended, whichever way that was, in a record that has the same shape', async () => {
    const endings: readonly (readonly [Outcome, readonly unknown[]])[] = [
      ['failed', ['finished', 'failed', 'failed']],
      ['success', ['finished', 'success', 'fixed']],
      ['timedout', ['finished', 'timedout', 'timedout']],
      ['canceled', ['finished', 'canceled', 'canceled']],
      ['success', ['finished', 'success', 'success']],
    ]
    for (const [outcome, words] of endings) {
      const made = await service.call(triggerBuild, { params: project, body: {} }, ada.token)
      assert.deepEqual(told(made), ['not_running', null, 'not_running'])
      assert.deepEqual(told(await newest()), ['queued', null, 'queued'])
      const [job] = await hand.claim()
      assert.deepEqual(told(await newest()), ['running', null, 'running'])
      assert.deepEqual((await list({ filter: 'running' })).length, 1)
      await hand.finish(job as JobSpec, outcome)
      const ended = await newest()
      assert.deepEqual(told(ended), words)
      assert.deepEqual(deviations(ended, summary), [])
    }
  })

  test('say canceled at once of one that runs, and by whom', async () => {
    await service.call(triggerBuild, { params: project, body: {} }, ada.token)
    await hand.claim()
    const { build_num } = await newest()
    const canceled = await service.call(cancelBuild, { params: { ...project, build_num } }, ada.token)
    assert.deepEqual(
      [canceled.status, canceled.outcome, canceled.canceled, canceled.canceler?.login],
      ['canceled', 'canceled', true, 'ada'],
    )
  })

  test('say of a retry whether it does without caches, and the next one has them again', async () => {
    const params = { ...project, build_num: 1 }
    const keysOf = ({ steps }: JobSpec) => steps.flatMap((step) => (step.type === 'restore_cache' ? [step.keys] : []))
    const retry = async (build_num: number, body: object) => {
      const made = await service.call(retryBuild, { params: { ...params, build_num }, body }, ada.token)
      const [job] = await hand.claim()
      await hand.finish(job as JobSpec, 'success')
      return [made, made.no_dependency_cache, keysOf(job as JobSpec)] as const
    }
    const [without, ...flags] = await retry(1, { 'no-cache': true })
    assert.deepEqual(flags, [true, [[]]])
    const [, ...usual] = await retry(without.build_num, {})
    assert.deepEqual(usual, [false, [['a', 'b']]])
  })

  test('say why a branch that the configuration leaves out was not built', async () => {
    await service.push('acme/web', { '.service/config.yml': config, x: '1' }, ['quiet'], ada.token)
    const build = await service.until(async () => (await ofBranch('quiet'))[0])
    assert.deepEqual([...told(build), build.dont_build], ['not_run', null, 'not_run', 'branch-blacklisted'])
    for (const filter of ['completed', 'failed', 'running', 'successful'])
      assert.ok(!(await list({ filter, limit: 100 })).some(({ branch }) => branch === 'quiet'), filter)
  })

  test('say no_tests of version 1.0 without a test: no success, and among the failed', async () => {
    const old = 'dependencies: {override: []}\ntest: {override: []}\n'
    await service.push('acme/old', { 'circle.yml': old }, ['main'], ada.token)
    await hand.play('build', 'success')
    const other = (filter: string) =>
      service.call(listProjectBuilds, { params: { ...project, repo: 'old' }, query: { filter } }, ada.token)
    const [[failed], [successful], [completed]] = [
      await other('failed'),
      await other('successful'),
      await other('completed'),
    ]
    assert.deepEqual(told(failed as BuildSummary), ['finished', 'no_tests', 'no_tests'])
    assert.deepEqual([successful, completed?.build_num], [undefined, 1])
    const found = (await service.call(listProjects, { query: {} }, ada.token)).find(
      ({ reponame }) => reponame === 'old',
    )
    assert.deepEqual(
      [found?.branches['main']?.last_success, found?.branches['main']?.last_non_success?.outcome],
      [undefined, 'no_tests'],
    )
  })

  test('are not said anew where a project that has builds is followed', async () => {
    await service.call(unfollowProject, { params: project }, ada.token)
    const followed = await service.call(followProject, { params: project }, ada.token)
    assert.deepEqual([followed.followed, followed.first_build], [true, null])
  })
})
