import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalsOf } from './workflow-actions.ts'

test('what runs can be canceled and not run again', () => {
  const { cancel, rerun, rerunFromFailed } = refusalsOf('running', [{ status: 'failed' }])
  assert.deepEqual([cancel, rerun, rerunFromFailed], [undefined, 'It has not ended yet', 'It has not ended yet'])
})

test('what failed can be run again from there', () => {
  const { cancel, rerun, rerunFromFailed } = refusalsOf('failed', [{ status: 'success' }, { status: 'timedout' }])
  assert.deepEqual([cancel, rerun, rerunFromFailed], ['It has already ended', undefined, undefined])
})

test('what succeeded has nothing to be run again from', () => {
  assert.equal(refusalsOf('success', [{ status: 'success' }]).rerunFromFailed, 'Nothing in it failed')
})
