import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TimedJob, waterfallOf } from './waterfall.ts'

const job = (id: string, needs: string, started?: number, stopped?: number): TimedJob => ({
  id,
  dependencies: needs.split(' ').filter((need) => need !== ''),
  started,
  stopped,
})

test('a job is ready when the last of what it needs has ended, and queued until it starts', () => {
  const { bars } = waterfallOf([job('a', '', 2, 10), job('b', '', 1, 4), job('c', 'a b', 13, 20)], 0, 99)
  assert.deepEqual(
    bars.map(({ id, ready, started, end }) => [id, ready, started, end]),
    [
      ['b', 0, 1, 4],
      ['a', 0, 2, 10],
      ['c', 10, 13, 20],
    ],
  )
})

test('the critical path goes back over whatever ended last', () => {
  const { path, bars } = waterfallOf([job('a', '', 0, 10), job('b', '', 0, 4), job('c', 'a b', 13, 20)], 0, 99)
  assert.deepEqual(path, ['a', 'c'])
  assert.deepEqual(
    bars.filter((bar) => bar.critical).map((bar) => bar.id),
    ['a', 'c'],
  )
})

test('what still runs lasts until now, and what is blocked has no bar', () => {
  const { bars, end } = waterfallOf([job('a', '', 5), job('b', 'a')], 0, 30)
  assert.deepEqual(
    bars.map((bar) => [bar.id, bar.end]),
    [['a', 30]],
  )
  assert.equal(end, 30)
})

test('a workflow of which nothing has run has no path', () => {
  assert.deepEqual(waterfallOf([job('a', '')], 0, 7).path, [])
})
