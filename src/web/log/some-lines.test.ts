import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawLine } from './ansi.ts'
import { logOf } from './some-lines.ts'

test('lines from the middle of a log begin in the look that was in force there, and know their times', () => {
  const log = logOf({
    first: 41,
    lines: ['red', 'still\x1b[0m', 'plain'],
    look: '\x1b[0m\x1b[31m',
    times: [
      { line: 41, at: '2026-01-02T03:04:05.000Z' },
      { line: 43, at: '2026-01-02T03:04:06.500Z' },
    ],
  })
  const red = { front: { kind: 'named', index: 1 } }
  assert.deepEqual(
    log.lines.map((line) => [drawLine(line.text, line.look).spans.map(({ text, look }) => [text, look]), line.at]),
    [
      [[['red', red]], Date.UTC(2026, 0, 2, 3, 4, 5)],
      [[['still', red]], Date.UTC(2026, 0, 2, 3, 4, 5)],
      [[['plain', {}]], Date.UTC(2026, 0, 2, 3, 4, 6, 500)],
    ],
  )
  assert.equal(log.dropped, 40)
})

test('lines of which nobody told a time have none', () => {
  const log = logOf({ first: 1, lines: ['a', 'b'], look: '', times: [{ line: 2, at: '2026-01-02T03:04:05.000Z' }] })
  assert.deepEqual(
    log.lines.map(({ at }) => at),
    [undefined, Date.UTC(2026, 0, 2, 3, 4, 5)],
  )
})
