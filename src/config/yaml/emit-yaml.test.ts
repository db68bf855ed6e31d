import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { dataOf } from '#config/emit.ts'
import { newTrail } from '#config/trail.ts'
import { type Data, emitYaml } from './emit-yaml.ts'
import { parseYaml } from './parse-yaml.ts'

function readBack(data: Data): Data {
  const trail = newTrail()
  const node = parseYaml(emitYaml(data), trail)
  assert.deepEqual(trail.problems, [], emitYaml(data))
  return asObjects(dataOf(node!))
}

function asObjects(data: Data): Data {
  if (data instanceof Map) return Object.fromEntries([...data].map(([key, value]) => [key, asObjects(value)]))
  return Array.isArray(data) ? data.map(asObjects) : data
}

test('what is written looks as a person would write it', () => {
  const data = {
    plain: 'cimg/node:22.4',
    list: ['a', { b: 1, c: [true, null] }, []],
    empty: {},
    text: 'make\nmake test\n',
    kept: 'two\n\n\n',
    quoted: ['yes', '1.0', ' x', 'a: b', 'a #b', '', '- a', '\u0007'],
  }
  const text = [
    'plain: cimg/node:22.4',
    'list:',
    '- a',
    '- b: 1',
    '  c:',
    '  - true',
    '  - null',
    '- []',
    'empty: {}',
    'text: |',
    '  make',
    '  make test',
    'kept: |+',
    '  two',
    '',
    '',
    'quoted:',
    '- "yes"',
    '- "1.0"',
    '- " x"',
    '- "a: b"',
    '- "a #b"',
    '- ""',
    '- "- a"',
    '- "\\u0007"',
    '',
  ].join('\n')
  assert.equal(emitYaml(data), text)
  assert.deepEqual(readBack(data), data)
})

test('any data reads back as it was written', () => {
  const sign = fc.constantFrom(
    'a',
    ' ',
    ':',
    '#',
    '-',
    '\n',
    '\t',
    '"',
    "'",
    '\\',
    '{',
    '[',
    ',',
    '&',
    '*',
    '!',
    '|',
    '>',
    '%',
    '@',
    '`',
    '?',
    '.',
    '1',
    '0',
    '~',
    '=',
    '<',
    '\r',
    '\u0085',
    '\u2028',
    '\ufeff',
    'é',
    '😀',
    '\u0000',
  )
  const text = fc.oneof(fc.string({ unit: sign, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 20 }))
  const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
  const data = fc.letrec<{ data: Data }>((tie) => ({
    data: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('data'), { maxLength: 4 }),
      fc.dictionary(text, tie('data'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).data
  fc.assert(
    fc.property(data, (value) => assert.deepEqual(readBack({ value }), { value })),
    { numRuns: 3000 },
  )
})
