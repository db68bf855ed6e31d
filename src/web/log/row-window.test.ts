import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowWindow } from './row-window.ts'

test('the window holds what is seen and a margin', () => {
  assert.deepEqual(rowWindow(2000, 400, 20, 20_000, 10), { from: 90, to: 130 })
})

test('the window stays within the list', () => {
  assert.deepEqual(rowWindow(0, 400, 20, 5, 10), { from: 0, to: 5 })
  assert.deepEqual(rowWindow(9_999, 400, 20, 5, 10), { from: 0, to: 5 })
  assert.deepEqual(rowWindow(0, 0, 20, 0, 10), { from: 0, to: 0 })
})
