import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawLine } from './ansi.ts'
import { plain } from './look.ts'
import { split } from './split.ts'

const found = (raw: string, wanted: string) =>
  split(drawLine(raw, plain).spans, wanted).map(({ text, found: isFound }) => (isFound ? `[${text}]` : text))

test('what was looked for is cut out wherever it stands, whatever its case', () => {
  assert.deepEqual(found('an Error is an error', 'error'), ['an ', '[Error]', ' is an ', '[error]'])
  assert.deepEqual(found('errorerror', 'error'), ['[error]', '[error]'])
  assert.deepEqual(found('nothing', 'error'), ['nothing'])
})

test('it is found across colours', () => {
  assert.deepEqual(found('an er\x1b[31mror\x1b[0m here', 'error'), ['an ', '[er]', '[ror]', ' here'])
})

test('a line in which letters change their length is left whole', () => {
  assert.deepEqual(found('İ error', 'error'), ['İ error'])
})
