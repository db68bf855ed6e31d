import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildProject, listProjectBuilds, triggerBuild } from '#contract/v1/builds.ts'
import { listProjectPipelines, triggerPipeline } from '#contract/v2/pipeline.ts'
import { openService } from './service.ts'

const config = 'version: 2\njobs: { build: { machine: true, steps: [checkout] } }\n'
const first = { vcs: 'gh', provider: 'gh', org: 'acme', repo: 'web' }
const branch = 'main'

test('a commit that asks not to be built is built for whoever triggers it (§3), and not where that is to be as a push (§4.1)', async () => {
  await using service = await openService()
  await service.push(
    'acme/web',
    { '.service/config.yml': config },
    [branch],
    service.admin.token,
    'Words only [skip ci]',
  )
  const pipelines = async () =>
    (await service.call(listProjectPipelines, { params: first, query: {} })).items.map(({ number }) => number)
  const builds = async () =>
    (await service.call(listProjectBuilds, { params: first, query: {} })).map(
      ({ build_num, why, dont_build, status }) => [build_num, why, dont_build, status],
    )
  assert.deepEqual(await pipelines(), [])
  const pushed = [1, 'provider-a', 'ci-skip', 'not_run']
  assert.deepEqual(await builds(), [pushed])
  const answer = await service.call(buildProject, { params: first, query: {}, body: { branch } })
  assert.deepEqual(answer, { status: 200, body: 'Build created' })
  const asPush = [2, 'api', 'ci-skip', 'not_run']
  assert.deepEqual([await pipelines(), await builds()], [[], [asPush, pushed]])
  const build = await service.call(triggerBuild, { params: first, body: {} })
  assert.deepEqual([build.build_num, build.dont_build, build.lifecycle], [3, null, 'not_running'])
  const pipeline = await service.call(triggerPipeline, { params: first, body: { branch } })
  assert.deepEqual([pipeline.number, await pipelines()], [2, [2, 1]])
})
