import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permalink, placeIn } from './permalink.ts'

test('a permalink names the step and the line, and is read back', () => {
  assert.equal(permalink({ step: 2, line: 10 }), '#s2L10')
  assert.deepEqual(placeIn('#s2L10'), { step: 2, line: 10 })
})

test('any other fragment names no line', () => {
  assert.deepEqual(['', '#', '#main', '#s2', '#s2L', '#s2L10x', '#s-1L2'].map(placeIn), Array(7).fill(undefined))
})
