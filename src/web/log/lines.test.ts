import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emptyLog, grow, linesOf, type Log } from './lines.ts'

const texts = (log: Log) => linesOf(log).map((line) => line.map((span) => span.text).join(''))
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
      assert.deepEqual(linesOf(read(...pieces)), linesOf(read(text)))
    }),
  )
})

test('only the last lines are kept, and it is known how many went before', () => {
  const log = ['1\n2\n3\n', '4\n5\n6'].reduce((before, piece) => grow(before, piece, 3), emptyLog)
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
