import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heightOf, isAtEnd, isScaled, lastTop, mostHeight, scrolledTo, topAt } from './viewport.ts'

const small = { count: 1_000, row: 20, height: 400 }
const huge = { count: 5_000_000, row: 20, height: 400 }

test('of a list that a browser can draw, a pixel is a pixel', () => {
  assert.equal(heightOf(small), 20_000)
  assert.equal(topAt(small, 210), 10.5)
  assert.equal(scrolledTo(small, 10.5), 210)
})

test('of a longer one the scroll bar shows the proportion, and reaches both ends', () => {
  assert.ok(isScaled(huge))
  assert.equal(heightOf(huge), mostHeight)
  assert.equal(topAt(huge, 0), 0)
  assert.equal(topAt(huge, mostHeight - huge.height), lastTop(huge))
  assert.equal(scrolledTo(huge, lastTop(huge)), mostHeight - huge.height)
})

test('a row that is scrolled to is the row at the top', () => {
  for (const row of [1, 77_777, 2_500_000, 4_999_900])
    assert.ok(Math.abs(topAt(huge, scrolledTo(huge, row)) - row) < 1e-6)
})

test('whoever sees the last row is at the end', () => {
  assert.ok(isAtEnd(small, lastTop(small)))
  assert.ok(!isAtEnd(small, lastTop(small) - 3))
  assert.ok(isAtEnd({ count: 3, row: 20, height: 400 }, 0))
})
