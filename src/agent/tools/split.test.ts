import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { splitByName, splitByWeight } from './split.ts'

test('by name: sorted, then one after another', () => {
  const items = ['d', 'a', 'c', 'b', 'e']
  assert.deepEqual(
    [splitByName(items, 0, 2), splitByName(items, 1, 2)],
    [
      ['a', 'c', 'e'],
      ['b', 'd'],
    ],
  )
})

test('by weight: the heaviest first, each to the node with the least', () => {
  const items = Object.entries({ a: 5, b: 4, c: 3, d: 3, e: 1 }).map(([item, weight]) => ({ item, weight }))
  assert.deepEqual(
    [splitByWeight(items, 0, 2), splitByWeight(items, 1, 2)],
    [
      ['a', 'd'],
      ['b', 'c', 'e'],
    ],
  )
})

test('every item is on exactly one node', () => {
  const weighed = fc.uniqueArray(fc.record({ item: fc.string(), weight: fc.nat(100) }), {
    selector: ({ item }) => item,
  })
  fc.assert(
    fc.property(weighed, fc.integer({ min: 1, max: 7 }), (items, total) => {
      const nodes = Array.from({ length: total }, (_, index) => splitByWeight(items, index, total))
      assert.deepEqual(nodes.flat().toSorted(), items.map(({ item }) => item).toSorted())
    }),
    { numRuns: 50 },
  )
})
