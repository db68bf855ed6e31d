import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildWords } from './build-words.ts'
import { jobEventWord, workflowEventWord } from './status-words.ts'
import { actionWords } from './step-words.ts'

describe('the words of generation 1.1', () => {
  test('call a success after a failure fixed, and only that', () => {
    const fixed = { lifecycle: 'finished', outcome: 'success', status: 'fixed' }
    assert.deepEqual(buildWords('success', { previous: 'failed' }), fixed)
    assert.deepEqual(buildWords('success', { previous: 'timedout' }), fixed)
    assert.equal(buildWords('success', { previous: 'canceled' }).status, 'success')
    assert.equal(buildWords('success', { previous: 'success' }).status, 'success')
    assert.equal(buildWords('success').status, 'success')
    assert.equal(buildWords('failed', { previous: 'failed' }).status, 'failed')
  })

  test('keep the outcome of a job that was automatically retried', () => {
    assert.deepEqual(buildWords('retried'), {
      lifecycle: 'finished',
      outcome: 'infrastructure_fail',
      status: 'retried',
    })
  })

  test('have no outcome for what did not run', () => {
    const notRun = { lifecycle: 'not_run', outcome: undefined, status: 'not_run' }
    assert.deepEqual(buildWords('not_run'), notRun)
    assert.deepEqual(buildWords('queued', { dontBuild: 'ci-skip' }), notRun)
    const untested = { lifecycle: 'finished', outcome: 'no_tests', status: 'no_tests' }
    assert.deepEqual(buildWords('success', { noTests: true, previous: 'failed' }), untested)
    assert.deepEqual(buildWords('failed', { noTests: true }).outcome, 'failed')
    assert.deepEqual(buildWords('blocked'), { lifecycle: 'not_running', outcome: undefined, status: 'not_running' })
  })

  test('do not call an action that ran out of time failed, and have none for a step that was skipped', () => {
    assert.deepEqual([actionWords.timedout, actionWords.skipped], [{ status: 'timedout', timedout: true }, undefined])
  })
})

describe('the words of events', () => {
  test('say of a job that timed out or lost its machine that it failed, and nothing of one that is retried', () => {
    assert.deepEqual(
      [jobEventWord.timedout, jobEventWord.infrastructure_fail, jobEventWord.retried],
      ['failed', 'failed', undefined],
    )
  })

  test('say nothing of a workflow that goes on', () => {
    assert.deepEqual(
      [workflowEventWord.failing, workflowEventWord.on_hold, workflowEventWord.error],
      [undefined, undefined, 'error'],
    )
  })
})
