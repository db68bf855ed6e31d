import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { openTurns } from '#agent/turns.ts'
import { splitByName, splitByWeight } from './split.ts'
import { weigh } from './timings.ts'

test('by name: sorted, then one after another', async () => {
  const items = ['d', 'a', 'c', 'b', 'e']
  assert.deepEqual(
    [await splitByName(items, 0, 2), await splitByName(items, 1, 2)],
    [
      ['a', 'c', 'e'],
      ['b', 'd'],
    ],
  )
})

test('by weight: the heaviest first, each to the node with the least', async () => {
  const items = Object.entries({ a: 5, b: 4, c: 3, d: 3, e: 1 }).map(([item, weight]) => ({ item, weight }))
  assert.deepEqual(
    [await splitByWeight(items, 0, 2), await splitByWeight(items, 1, 2)],
    [
      ['a', 'd'],
      ['b', 'c', 'e'],
    ],
  )
})

/** The same rule, said as simply as it can be. */
function simply(items: readonly { readonly item: string; readonly weight: number }[], total: number) {
  const nodes = Array.from({ length: total }, () => ({ load: 0, items: [] as string[] }))
  const order = (a: string, b: string) => (a < b ? -1 : 1)
  for (const { item, weight } of items.toSorted((a, b) => b.weight - a.weight || order(a.item, b.item))) {
    const lightest = nodes.reduce((least, node) => (node.load < least.load ? node : least))
    lightest.load += weight
    lightest.items.push(item)
  }
  return nodes.map((node) => node.items.toSorted())
}

test('every item is on exactly one node, whichever the rule says', async () => {
  const weighed = fc.uniqueArray(fc.record({ item: fc.string(), weight: fc.nat(100) }), {
    selector: ({ item }) => item,
  })
  await fc.assert(
    fc.asyncProperty(weighed, fc.integer({ min: 1, max: 7 }), async (items, total) => {
      const nodes = await Promise.all(Array.from({ length: total }, (_, index) => splitByWeight(items, index, total)))
      assert.deepEqual(nodes, simply(items, total))
      assert.deepEqual(nodes.flat().toSorted(), items.map(({ item }) => item).toSorted())
    }),
    { numRuns: 50 },
  )
})

test('others have their turn however many items are split', async () => {
  const count = 5000
  const items = Array.from({ length: count }, (_, i) => `${(i * 7919) % count}.test.ts`)
  // A clock by which every look at it takes a millisecond: how many turns are given depends on nothing else.
  let time = 0
  let given = 0
  const clocked = openTurns(() => time++)
  const turns = { ...clocked, give: () => (given++, clocked.give()) }
  const turnsOf = async (work: () => Promise<unknown>) => {
    const before = given
    await work()
    return given - before
  }
  const weighed = items.map((item, weight) => ({ item, weight }))
  const took = [
    await turnsOf(() => splitByName(items, 0, 2, turns)),
    await turnsOf(() => splitByWeight(weighed, 0, 2, turns)),
    await turnsOf(() => weigh(items, { filename: { '1.test.ts': 1 } }, 'autodetect', undefined, '/', turns)),
  ]
  // Each item is followed by a look at the clock.
  for (const many of took) assert.ok(many >= count / 11, `${took.join(', ')} turns for ${count} items`)
})
