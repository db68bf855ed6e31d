import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buckets } from './buckets.ts'

test('a bucket gives its burst at once, then what it is filled with', () => {
  const all = buckets(2, 3)
  const take = (now: number) => all.take('a', now)
  assert.deepEqual([take(0).ok, take(0).ok], [true, true])
  assert.deepEqual(take(0), { ok: true, remaining: 0, wait: 0, reset: 2 })
  assert.deepEqual(take(0), { ok: false, remaining: 0, wait: 1, reset: 2 })
  assert.equal(take(499).ok, false)
  assert.equal(take(500).ok, true)
  assert.equal(take(500).ok, false)
  assert.deepEqual(take(60_000), { ok: true, remaining: 2, wait: 0, reset: 1 })
})

test('everybody has a bucket of their own', () => {
  const all = buckets(1, 1)
  assert.deepEqual([all.take('a', 0).ok, all.take('a', 0).ok, all.take('b', 0).ok], [true, false, true])
})

test('whoever comes again after the maps took turns finds the bucket as it was', () => {
  const all = buckets(1, 2)
  all.take('a', 0)
  all.take('a', 0)
  all.take('b', 2_001)
  all.take('a', 2_001)
  all.take('a', 2_001)
  assert.equal(all.take('a', 2_001).ok, false)
})

test('a clock that goes back gives nothing away', () => {
  const all = buckets(1, 1)
  all.take('a', 10_000)
  assert.equal(all.take('a', 0).ok, false)
})
