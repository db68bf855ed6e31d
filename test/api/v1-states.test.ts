import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JobSpec } from '#contract/agent.ts'
import type { BuildSummary } from '#contract/v1/build.ts'
import { addSshUser, cancelBuild, getBuild, listProjectBuilds, triggerBuild } from '#contract/v1/builds.ts'
import { getMe } from '#contract/v1/user.ts'
import { type Acme, acme as project, openAcme } from './acme.ts'
import type { Outcome } from './hand.ts'
import { deviations, type Shape } from './shape.ts'
import { full, identity, listed, machine, visitor } from './v1-shapes.ts'

/*
 * A record has the shape that was recorded of the original, whatever became of the build: strict clients break on one member.
 */

const config = `version: 2
jobs:
  build: {machine: true, steps: [{run: make}]}
  test: {machine: true, steps: [{run: make test}]}
workflows:
  version: 2
  main:
    jobs:
      - build
      - hold: {type: approval, requires: [build]}
      - test: {requires: [hold]}
`

describe('the record of a build has its shape', () => {
  let service: Acme['service']
  let ada: Acme['ada']
  let hand: Acme['hand']
  before(async () => {
    ;({ service, ada, hand } = await openAcme(config))
  })
  after(() => service[Symbol.asyncDispose]())

  const list = () => service.call(listProjectBuilds, { params: project, query: {} }, ada.token)
  const told = ({ lifecycle, outcome, status }: BuildSummary) => [lifecycle, outcome, status]
  const trigger = () => service.call(triggerBuild, { params: project, body: {} }, ada.token)

  /** A build in the list and by itself, both in shape. */
  async function record(number: number) {
    const inList = (await list()).find(({ build_num }) => build_num === number)
    assert.deepEqual(deviations(inList, listed), [])
    const build = await service.call(getBuild, { params: { ...project, build_num: number } }, ada.token)
    const inside: readonly (readonly [unknown, Shape])[] = [
      [build, full],
      [build.picard ?? undefined, machine],
      [build.canceler ?? undefined, identity],
      [build.ssh_users, [visitor]],
    ]
    for (const [value, shape] of inside) if (value !== undefined) assert.deepEqual(deviations(value, shape), [])
    return build
  }

  test('however it ended', async () => {
    const endings: readonly (readonly [Outcome, string])[] = [
      ['failed', 'failed'],
      ['success', 'fixed'],
      ['timedout', 'timedout'],
    ]
    for (const [outcome, status] of endings) {
      const { build_num } = await trigger()
      await hand.play('build', outcome)
      const build = await record(build_num)
      assert.deepEqual(told(build), ['finished', outcome, status])
      assert.deepEqual(
        [build.timedout, build.infrastructure_fail, build.failed, build.canceled],
        [outcome === 'timedout', false, outcome !== 'success', false],
      )
      assert.equal(typeof build.build_time_millis, 'number')
    }
  })

  test('while it waits and runs, and when it is canceled then', async () => {
    const waiting = await record((await trigger()).build_num)
    assert.deepEqual([...told(waiting), waiting.start_time, waiting.failed], ['queued', null, 'queued', null, null])
    const params = { ...project, build_num: waiting.build_num }
    await service.call(cancelBuild, { params }, ada.token)
    const canceled = await record(waiting.build_num)
    assert.deepEqual(
      [...told(canceled), canceled.canceled, canceled.failed, canceled.canceler?.login, canceled.build_time_millis],
      ['finished', 'canceled', 'canceled', true, null, 'ada', null],
    )
    const { build_num } = await trigger()
    const [job] = await hand.claim()
    const running = await record(build_num)
    assert.deepEqual([...told(running), running.stop_time], ['running', null, 'running', null])
    const next = await record((await trigger()).build_num)
    assert.deepEqual([next.previous?.build_num, next.previous?.status], [build_num, 'running'])
    assert.equal(typeof next.previous?.build_time_millis, 'number')
    await service.call(cancelBuild, { params: { ...project, build_num: next.build_num } }, ada.token)
    await hand.finish(job as JobSpec, 'canceled')
    assert.deepEqual(told(await record(build_num)), ['finished', 'canceled', 'canceled'])
  })

  test('where nothing was built, and where a job is held there is no build', async () => {
    assert.ok(!(await list()).some(({ workflows }) => workflows?.job_name !== 'build'))
    await service.push('acme/web', { a: '1', '.service/config.yml': config }, ['words'], ada.token, 'Words [ci skip]')
    const [newest] = await list()
    const skipped = await record(newest?.build_num ?? 0)
    assert.deepEqual([...told(skipped), skipped.dont_build], ['not_run', null, 'not_run', 'ci-skip'])
    assert.deepEqual([skipped.picard, skipped.steps, skipped.queued_at], [null, [], null])
  })

  test('with numbers for people, the same wherever they are told', async () => {
    const { build_num } = await trigger()
    await service.call(addSshUser, { params: { ...project, build_num } }, ada.token)
    const build = await record(build_num)
    const { identities, github_id, num_projects_followed } = await service.call(getMe, {}, ada.token)
    const number = identities?.['provider-a']?.id
    assert.ok(Number.isInteger(number) && (number ?? 0) < 2 ** 31)
    assert.deepEqual([build.user.id, build.ssh_users[0]?.['github_id'], github_id], [number, number, number])
    assert.equal(num_projects_followed, 1)
    await hand.play('build', 'success')
  })

  test('when its machine failed and another build took its place, until that fails too', async () => {
    const { build_num } = await trigger()
    await hand.play('build', 'infrastructure_fail')
    const lost = await record(build_num)
    assert.deepEqual(told(lost), ['finished', 'infrastructure_fail', 'retried'])
    assert.deepEqual([lost.infrastructure_fail, lost.failed], [true, true])
    await hand.play('build', 'infrastructure_fail')
    const next = await record(lost.retries?.[0] ?? 0)
    assert.deepEqual(told(next), ['finished', 'infrastructure_fail', 'infrastructure_fail'])
    assert.deepEqual([next.retry_of, next.why, next.previous?.build_num], [build_num, 'auto-retry', build_num])
  })
})
