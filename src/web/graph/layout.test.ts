import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxWidth, drawingOf } from './layout.ts'

/** `'c: a b'` is something that waits for two others. */
const things = (...texts: readonly string[]) =>
  texts.map((text) => {
    const [id = '', needs = ''] = text.split(': ')
    return { id, dependencies: needs.split(' ').filter((need) => need !== ''), height: 40 }
  })

test('what waits stands right of everything that it waits for', () => {
  const { boxes } = drawingOf(things('a', 'b: a', 'c: a', 'd: b c'))
  const x = Object.fromEntries(boxes.map((box) => [box.id, box.x]))
  assert.ok(x['a']! + boxWidth < x['b']!)
  assert.equal(x['b'], x['c'])
  assert.ok(x['c']! + boxWidth < x['d']!)
})

test('no two boxes lie on each other', () => {
  const { boxes } = drawingOf(things('a', 'b', 'c: a', 'd: a b', 'e: c', 'f: e a'))
  for (const one of boxes)
    for (const other of boxes)
      assert.ok(one === other || one.x !== other.x || Math.abs(one.y - other.y) >= 40, `${one.id} ${other.id}`)
})

test('what it waits for and is not there, or is itself, has no line', () => {
  const { edges, boxes } = drawingOf(things('a: gone a', 'b: a'))
  assert.deepEqual(
    edges.map(({ from, to }) => `${from}>${to}`),
    ['a>b'],
  )
  assert.equal(boxes.length, 2)
})

test('nothing is drawn of nothing', () => {
  assert.deepEqual(drawingOf([]), { boxes: [], edges: [], width: 0, height: 0 })
})

test('five hundred jobs in layers stand in columns, each right of what it waits for', () => {
  const layers = Array.from({ length: 500 }, (_, at) => (at < 20 ? `j${at}` : `j${at}: j${at - 20} j${(at * 7) % 20}`))
  const { boxes, edges } = drawingOf(things(...layers))
  const x = new Map(boxes.map((box) => [box.id, box.x]))
  assert.equal(boxes.length, 500)
  assert.ok(edges.every(({ from, to }) => x.get(from)! + boxWidth < x.get(to)!))
  assert.equal(new Set(boxes.map((box) => `${box.x} ${box.y}`)).size, 500)
})
