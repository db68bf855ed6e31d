import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calmLine, duration, lastLines } from './terminal-text.ts'

test('a line keeps its colours where they are wanted, and nothing else that steers a terminal', () => {
  const line = 'a\u001b[2J\u001b]0;title\u0007\u001b[31mred\u001b[0m\u0007 b\u009b'
  assert.equal(calmLine(line, false), 'ared b')
  assert.equal(calmLine(line, true), 'a\u001b[31mred\u001b[0m b\u001b[0m')
})

test('of a line that was written over itself the last is shown', () => {
  assert.equal(calmLine('10%\r50%\r100%\r', false), '100%')
})

test('the last lines leave out empty ones at the end', () => {
  assert.deepEqual(lastLines('1\n2\n\n3\n\n', 3, false), ['2', '', '3'])
})

test('times are told as people read them', () => {
  assert.deepEqual([400, 12_400, 185_000, 3_725_000, -5].map(duration), ['0.4s', '12s', '3m 05s', '1h 02m', '0.0s'])
})
