import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  continuePipeline,
  getPipeline,
  getPipelineConfig,
  listPipelineWorkflows,
  triggerPipeline,
} from '#contract/v2/pipeline.ts'
import type { PipelineId } from '#core/ids.ts'
import { continuationKey } from '#server/app/continue-pipeline.ts'
import { pipelineById, workflowsOf } from '#server/store/pipelines.ts'
import { databases } from '#test/world.ts'
import { messageOf } from './ask.ts'
import { openService, type Service } from './service.ts'

const parameters = `parameters:
  word: {type: string, default: hi}
  deep: {type: boolean, default: false}
`
const setup = `version: 2.1
setup: true
${parameters}jobs: {make: {machine: true, steps: [{run: 'echo << pipeline.in_setup >>'}]}}
workflows: {prepare: {jobs: [make]}}
`
const next = `version: 2.1
${parameters}jobs: {build: {machine: true, steps: [{run: 'echo << pipeline.parameters.word >> << pipeline.in_setup >>'}]}}
workflows: {main: {jobs: [build]}}
`
const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }

for (const database of databases)
  describe(`a pipeline with a setup phase on ${database}`, () => {
    let service: Service
    before(async () => {
      service = await openService({ database })
      await service.push('acme/web', { '.service/config.yml': setup }, ['main'])
    })
    after(() => service[Symbol.asyncDispose]())

    /** A pipeline in its setup phase, and its key. */
    async function newSetup(given: Readonly<Record<string, string | boolean>> = {}) {
      const { id } = await service.call(triggerPipeline, { params: slug, body: { parameters: given } })
      const row = await service.until(async () => {
        const found = await pipelineById(service.world.db, { id: id as PipelineId })
        return found?.state.endsWith('pending') ? undefined : found
      })
      assert.equal(row.state, 'setup')
      const [workflow] = await workflowsOf(service.world.db, { pipeline: id })
      const key = await continuationKey(service.world, workflow?.id ?? '')
      assert.ok(key)
      return { id, key }
    }

    const go = (key: string, configuration: string, given?: object) =>
      service.ask({
        method: 'POST',
        path: '/api/v2/pipeline/continue',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'continuation-key': key, configuration, ...(given && { parameters: given }) }),
      })

    const ended = (id: string) =>
      service.until(async () => {
        const pipeline = await service.call(getPipeline, { params: { pipeline_id: id } })
        return pipeline.state === 'created' || pipeline.state === 'errored' ? pipeline : undefined
      })

    test('goes on with the configuration and the parameters that its key brings', async () => {
      const { id, key } = await newSetup({ deep: true })
      const answer = await service.call(
        continuePipeline,
        { body: { 'continuation-key': key, configuration: next, parameters: { word: 'bye' } } },
        '',
      )
      assert.deepEqual(answer, { message: 'Accepted.' })
      assert.equal((await ended(id)).state, 'created')
      const { items } = await service.call(listPipelineWorkflows, { params: { pipeline_id: id }, query: {} })
      assert.deepEqual(
        items.map(({ name, tag }) => [name, tag]),
        [
          ['main', undefined],
          ['prepare', 'setup'],
        ],
      )
      const texts = await service.call(getPipelineConfig, { params: { pipeline_id: id } })
      assert.deepEqual([texts.source, texts['setup-config']], [next, setup])
      assert.match(texts.compiled, /^version: 2\n[^]*command: echo bye false\n[^]*# Original config.yml file:\n/)
      assert.match(texts['compiled-setup-config'] ?? '', /setup: true\n[^]*command: echo true\n/)
    })

    test('goes on once, whoever asks at the same time', async () => {
      const { key } = await newSetup()
      const answers = await Promise.all([go(key, next), go(key, next), go(key, next)])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
      const late = await go(key, next)
      assert.deepEqual([late.status, messageOf(late)], [409, 'Pipeline is not in setup state.'])
    })

    test('goes on within six hours', async () => {
      const { key } = await newSetup()
      service.clock.aheadMs += 6 * 60 * 60 * 1000 + 1000
      const answer = await go(key, next)
      const message = 'Continuation key has expired. Please run a new pipeline.'
      assert.deepEqual([answer.status, messageOf(answer)], [409, message])
    })

    test('does not take twice what its trigger has set', async () => {
      const { id, key } = await newSetup({ word: 'mine', deep: false })
      const answer = await go(key, next, { word: 'yours' })
      assert.deepEqual([answer.status, messageOf(answer)], [400, 'Conflicting pipeline parameters.'])
      assert.equal((await go(key, next, { deep: true })).status, 200)
      assert.equal((await ended(id)).state, 'created')
    })

    test('errors where what was forwarded is not declared, and where another setup would follow', async () => {
      const undeclared = await newSetup({ word: 'mine' })
      await go(undeclared.key, next.replace(parameters, '').replace('<< pipeline.parameters.word >>', ''))
      const first = await ended(undeclared.id)
      assert.equal(first.state, 'errored')
      assert.match(first.errors[0]?.message ?? '', /Unexpected argument\(s\): word/)
      const again = await newSetup()
      await go(again.key, setup)
      const { errors } = await ended(again.id)
      assert.deepEqual(errors, [
        { type: 'config', message: 'Cannot continue a pipeline with another setup configuration' },
      ])
    })

    test('may end without more work', async () => {
      const { id, key } = await newSetup()
      const answer = await go(key, '{"version": 2, "jobs": {}, "workflows": {"version": 2}}', {})
      assert.equal(answer.status, 200)
      assert.deepEqual((await ended(id)).errors, [])
    })

    test('does not take a text that is none', async () => {
      const { key } = await newSetup()
      assert.equal((await go(key, 'version: 2.1\u0000')).status, 400)
      assert.equal((await go(key, next)).status, 200)
    })

    test('is not found by a key that nobody has', async () => {
      const answer = await go('rhc_nobody', next)
      assert.deepEqual([answer.status, messageOf(answer)], [404, 'Continuation key not found.'])
    })
  })
