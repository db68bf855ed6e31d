import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worstOf } from './status-look.ts'

test('what a reader should hear of first stands for all', () => {
  assert.equal(worstOf(['success', 'running', 'failed']), 'failed')
  assert.equal(worstOf(['success', 'running', 'on_hold']), 'on_hold')
  assert.equal(worstOf(['success', 'not_run']), 'success')
  assert.equal(worstOf([]), undefined)
})
