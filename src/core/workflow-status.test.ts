import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worstOf } from './workflow-status.ts'

test('of several workflows the one that went wrong is heard of first, then the one that somebody must act on', () => {
  assert.equal(worstOf(['success', 'running', 'failed']), 'failed')
  assert.equal(worstOf(['success', 'running', 'on_hold']), 'on_hold')
  assert.equal(worstOf(['not_run', 'success']), 'success')
  assert.equal(worstOf([]), undefined)
})
