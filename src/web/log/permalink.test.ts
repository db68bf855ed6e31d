import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNamed, permalink, placeIn, reach } from './permalink.ts'

test('an address names a line, or several', () => {
  for (const place of [
    { step: 2, line: 10 },
    { step: 2, line: 10, to: 14 },
  ])
    assert.deepEqual(placeIn(permalink(place)), place)
  assert.equal(permalink({ step: 0, line: 3, to: 3 }), '#s0L3')
})

test('lines that are named backwards are meant forwards', () => {
  assert.deepEqual(placeIn('#s1L9-L4'), { step: 1, line: 4, to: 9 })
  assert.deepEqual(placeIn('#s1L4-9'), { step: 1, line: 4, to: 9 })
})

test('what names no line is nothing', () => {
  for (const text of ['', '#', '#s1', '#L1', '#s1L', '#s1L1x', '#s1L1-', '#s-1L1', `#s1L${'9'.repeat(12)}`])
    assert.equal(placeIn(text), undefined, text)
})

test('a line is among those named where it is between the first and the last, in their step', () => {
  const place = { step: 1, line: 4, to: 6 }
  assert.deepEqual(
    [3, 4, 5, 6, 7].map((line) => isNamed(place, 1, line)),
    [false, true, true, true, false],
  )
  assert.equal(isNamed(place, 2, 5), false)
  assert.equal(isNamed(undefined, 1, 5), false)
})

test('pointing at a second line names all from the first to it, in the same step', () => {
  assert.deepEqual(reach({ step: 1, line: 4 }, 1, 9), { step: 1, line: 4, to: 9 })
  assert.deepEqual(reach({ step: 1, line: 4, to: 8 }, 1, 2), { step: 1, line: 2, to: 4 })
  assert.deepEqual(reach({ step: 1, line: 4 }, 2, 9), { step: 2, line: 9 })
  assert.deepEqual(reach(undefined, 2, 9), { step: 2, line: 9 })
})
