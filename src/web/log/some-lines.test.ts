import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawLine } from './ansi.ts'
import { grow, numbered } from './lines.ts'
import { logOf } from './some-lines.ts'

test('lines from the middle of a log begin in the look that was in force there, and know their times', () => {
  const log = logOf({
    first: 41,
    start: 400,
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
  const log = logOf({
    first: 1,
    start: 0,
    lines: ['a', 'b'],
    look: '',
    times: [{ line: 2, at: '2026-01-02T03:04:05.000Z' }],
  })
  assert.deepEqual(
    log.lines.map(({ at }) => at),
    [undefined, Date.UTC(2026, 0, 2, 3, 4, 5)],
  )
})

test('lines that nobody has counted get their numbers later, also when others have come meanwhile', () => {
  const seed = logOf({ first: null, start: 900, lines: ['a', 'b'], look: '', times: [] })
  const grown = grow(seed, 'c\nd\n', undefined, 3)
  assert.deepEqual({ dropped: grown.dropped, uncounted: grown.uncounted }, { dropped: 1, uncounted: 900 })
  const known = numbered(grown, 900, 41)
  assert.deepEqual({ dropped: known.dropped, uncounted: known.uncounted }, { dropped: 41, uncounted: undefined })
  assert.equal(numbered(known, 900, 41), known, 'and only once')
  assert.equal(numbered(grown, 800, 41), grown, 'and not by a count for something else')
})
