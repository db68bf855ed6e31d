import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { drawLine } from './ansi.ts'
import { emptyLog, grow, type Log, openLine } from './lines.ts'

const linesOf = (log: Log) => [...log.lines, openLine(log)].filter((line) => line !== undefined)
const drawnOf = (log: Log) => linesOf(log).map(({ text, look, at }) => ({ ...drawLine(text, look), at }))
const texts = (log: Log) => drawnOf(log).map(({ spans }) => spans.map((span) => span.text).join(''))
const read = (...pieces: readonly string[]) => pieces.reduce((log, piece) => grow(log, piece), emptyLog)

test('lines end at line feeds, with or without a carriage return', () => {
  assert.deepEqual(texts(read('one\ntwo\r\n\nfour\n')), ['one', 'two', '', 'four'])
})

test('a line without an end is shown as far as it has come', () => {
  assert.deepEqual(texts(read('one\ntw')), ['one', 'tw'])
  assert.deepEqual(texts(read('one\ntw', 'o\n')), ['one', 'two'])
})

test('how the text is cut makes no difference', () => {
  const character = fc.constantFrom('a', 'b', '\n', '\r', '\x1b[31m', '\x1b[0m', '\x1b[K', '\x1b]0;t\x07', '🚂')
  fc.assert(
    fc.property(fc.array(character), fc.array(fc.nat(40)), (characters, cuts) => {
      const text = characters.join('')
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b)
      const pieces = places.slice(1).map((end, at) => text.slice(places[at], end))
      assert.deepEqual(drawnOf(read(...pieces)), drawnOf(read(text)))
    }),
  )
})

test('only the last lines are kept, and it is known how many went before', () => {
  const log = ['1\n2\n3\n', '4\n5\n6'].reduce((before, piece) => grow(before, piece, undefined, 3), emptyLog)
  assert.deepEqual({ texts: texts(log), dropped: log.dropped }, { texts: ['3', '4', '5', '6'], dropped: 2 })
})

test('a line that never ends does not grow for ever', () => {
  const log = read('x'.repeat(15_000), 'y'.repeat(15_000), 'z'.repeat(15_000))
  const [line = ''] = texts(log)
  assert.equal(line.length, 20_000)
  assert.ok(line.startsWith('xxx') && line.endsWith('…'))
})

test('a line that is overwritten without end shows what was written last', () => {
  const log = read(...Array.from({ length: 5_000 }, (_, at) => `\rstep ${at}`))
  assert.deepEqual(texts(log), ['step 4999'])
})

test('of more lines at once than are kept, the last are kept, in the look that the others left', () => {
  const log = grow(read('0\n'), '1\n\x1b[1m2\n3\n4\n5\n', undefined, 2)
  assert.deepEqual({ texts: texts(log), dropped: log.dropped }, { texts: ['4', '5'], dropped: 4 })
  assert.deepEqual(log.lines[0]?.look, { bold: true })
})

test('a line has the time at which it was begun', () => {
  const log = [
    ['one\ntw', 10],
    ['o\nthree\nfo', 20],
    ['ur', 30],
  ].reduce((before, [text, at]) => grow(before, String(text), Number(at)), emptyLog)
  assert.deepEqual(
    linesOf(log).map(({ at }) => at),
    [10, 10, 20, 20],
  )
})
