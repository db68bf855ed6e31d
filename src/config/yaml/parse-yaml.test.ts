import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataOf } from '#config/emit.ts'
import { newTrail } from '#config/trail.ts'
import type { Data } from './emit-yaml.ts'
import { get } from './node.ts'
import { parseYaml } from './parse-yaml.ts'

function read(source: string): Data {
  const trail = newTrail()
  const node = parseYaml(source, trail)
  return node ? plain(dataOf(node)) : trail.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

function plain(data: Data): Data {
  if (data instanceof Map) return Object.fromEntries([...data].map(([key, value]) => [key, plain(value)]))
  return Array.isArray(data) ? data.map(plain) : data
}

test('the booleans are those of YAML 1.1, and only where they are not quoted', () => {
  assert.deepEqual(read('[yes, No, ON, off, true, FALSE, "yes", y, n, tRUE]'), [
    true,
    false,
    true,
    false,
    true,
    false,
    'yes',
    'y',
    'n',
    'tRUE',
  ])
})

test('numbers are numbers, and what only looks like one stays text', () => {
  assert.deepEqual(
    read('[1, -2, 1_000, 0x1F, 010, 1.5, 13.0, 1.2.3, 2019-01-01, 22:30, 12345678901234567890, 0b11, +1, .5, 1e3]'),
    [1, -2, 1000, 31, 8, 1.5, '13.0', '1.2.3', '2019-01-01', '22:30', '12345678901234567890', 3, 1, 0.5, '1e3'],
  )
})

test('nothing is nothing in every form', () => {
  assert.deepEqual(read('{a: , b: ~, c: null, d: ""}'), { a: null, b: null, c: null, d: '' })
})

test('keys are the names they look like', () => {
  assert.deepEqual(read('{on: 1, yes: 2, 1.10: 3, null: 4}'), { on: 1, yes: 2, '1.10': 3, null: 4 })
})

test('merged keys give way to those beside them, and earlier ones to none', () => {
  const source = [
    'a: &a {x: 1, y: 1}',
    'b: &b {y: 2, z: 2}',
    'c: {<<: [*a, *b], x: 3}',
    'd:',
    '  <<: *a',
    '  <<: *b',
    '  w: 4',
    'e: {"<<": 1}',
  ]
  const data = read(source.join('\n'))
  assert.deepEqual(data, {
    a: { x: 1, y: 1 },
    b: { y: 2, z: 2 },
    c: { x: 3, y: 1, z: 2 },
    d: { x: 1, y: 1, z: 2, w: 4 },
    e: { '<<': 1 },
  })
})

test('an anchor may be defined again, and an alias means the last one before it', () => {
  assert.deepEqual(read('[&a 1, *a, &a 2, *a]'), [1, 1, 2, 2])
})

test('every node knows its line and column', () => {
  const node = parseYaml('a:\n  - b\n  - {c: d}\n', newTrail())
  const list = get(node, 'a')
  const second = list?.kind === 'list' ? list.items[1] : undefined
  const places = [list, second, get(second, 'c')].map((each) => [each?.line, each?.column])
  assert.deepEqual(places, [
    [2, 3],
    [3, 5],
    [3, 9],
  ])
})

const mistakes: readonly (readonly [source: string, message: string])[] = [
  ['a: [', '1:5 Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ['a: 1\na: 2', '2:1 found duplicate key a'],
  ['? [a]\n: b', '1:3 Cannot use a mapping or a sequence as a key'],
  ['a: *b', '1:4 Cannot find an anchor named b before this alias'],
  ['<<: text', '1:5 Cannot merge anything but a mapping'],
  ['a: 1\n---\nb: 2', '2:1 Cannot read more than one document'],
]

for (const [source, message] of mistakes) {
  test(`${JSON.stringify(source)} is refused`, () => assert.deepEqual(read(source), [message]))
}
