import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from '#kit/brand.ts'
import type { PipelineId, ProjectId } from './ids.ts'
import { decidePipeline, nextNumber, type Pipeline, type PipelineCommand, skipsCi } from './pipeline.ts'
import { ada, noon } from './play.ts'

const pending: Pipeline = {
  id: 'p' as PipelineId,
  project: 'x' as ProjectId,
  number: 1,
  state: 'pending',
  errors: [],
  trigger: { type: 'webhook', receivedAt: noon, actor: ada },
  target: { revision: 'a'.repeat(40), branch: 'main' },
  parameters: {},
  createdAt: noon,
  updatedAt: noon,
}
const create: PipelineCommand = { type: 'create', setup: false }
const setup: PipelineCommand = { type: 'create', setup: true }
const proceed: PipelineCommand = { type: 'continue' }
const fail: PipelineCommand = { type: 'fail', errors: [{ type: 'config', message: 'no jobs' }] }

const stateAfter = (...commands: readonly PipelineCommand[]) =>
  commands.reduce((pipeline, command) => decidePipeline(pipeline, command, noon), pending).state

test('a pipeline is created, or errored with its reasons', () => {
  assert.equal(stateAfter(create), 'created')
  assert.deepEqual(decidePipeline(pending, fail, noon), {
    ...pending,
    state: 'errored',
    errors: [{ type: 'config', message: 'no jobs' }],
  })
})

test('a setup is continued once, and then created or errored', () => {
  assert.deepEqual([stateAfter(setup), stateAfter(setup, proceed)], ['setup', 'pending'])
  assert.deepEqual(
    [stateAfter(setup, proceed, create), stateAfter(setup, proceed, fail), stateAfter(setup, fail)],
    ['created', 'errored', 'errored'],
  )
  assert.throws(() => stateAfter(setup, proceed, proceed), {
    code: 'conflict',
    message: 'Pipeline is not in setup state.',
  })
  assert.throws(() => stateAfter(setup, proceed, setup), { code: 'conflict' })
})

test('a setup cannot be continued after six hours', () => {
  const begun = decidePipeline(pending, setup, noon)
  const sixHours = 6 * 60 * 60 * 1000
  assert.equal(decidePipeline(begun, proceed, later(noon, sixHours)).state, 'pending')
  assert.throws(() => decidePipeline(begun, proceed, later(noon, sixHours + 1)), {
    message: 'Continuation key has expired. Please run a new pipeline.',
  })
})

test('what is created or errored stays so', () => {
  for (const commands of [
    [create, fail],
    [create, create],
    [fail, create],
    [fail, setup],
  ]) {
    assert.throws(() => stateAfter(...commands), { code: 'conflict' })
  }
})

test('numbers count from one', () => assert.deepEqual([nextNumber(undefined), nextNumber(41)], [1, 42]))

test('a commit asks to be skipped in the first 250 characters of its title or body, either way round', () => {
  assert.ok(skipsCi('[ci skip] docs', '') && skipsCi('docs', 'only\n\n[skip ci]'))
  assert.ok(skipsCi(`${'x'.repeat(241)}[ci skip]`, ''))
  assert.ok(!skipsCi(`${'x'.repeat(242)}[ci skip]`, '') && !skipsCi('ci skip', '[skip]'))
})
