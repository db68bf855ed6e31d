import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds } from './logic.ts'
import { newTrail } from './trail.ts'
import { parseYaml } from './yaml/parse-yaml.ts'

function truth(source: string): boolean | string {
  const trail = newTrail()
  const node = parseYaml(source, trail)
  assert.ok(node)
  const answer = holds(node, trail)
  return trail.problems[0]?.message ?? answer
}

const statements: readonly (readonly [source: string, answer: boolean | string])[] = [
  ['true', true],
  ['no', false],
  ['', false],
  ['""', false],
  ['0', false],
  ['1', true],
  ['text', true],
  ['"false"', true],
  ['{}', false],
  ['{name: x}', true],
  ['{and: [true, 1, a]}', true],
  ['{and: [true, 0]}', false],
  ['{or: [0, "", a]}', true],
  ['{or: [0]}', false],
  ['{not: {and: [true, false]}}', true],
  ['{equal: [a, a, a]}', true],
  ['{equal: [a, b]}', false],
  ['{equal: [1, "1"]}', false],
  ['{equal: ["", null]}', true],
  ['{equal: [{name: a, tag: 1}, {tag: 1, name: a}]}', true],
  ['{equal: [[1, 2], [1, 3]]}', false],
  ['{equal: [a]}', true],
  ['{matches: {pattern: "v[0-9.]+", value: v1.2}}', true],
  ['{matches: {pattern: "v[0-9]", value: v1.2}}', false],
  ['[true]', 'Cannot use a sequence as a condition'],
  ['{and: []}', 'The statement [and] needs a sequence of at least one value'],
  ['{or: true}', 'The statement [or] needs a sequence of at least one value'],
  ['{and: [true], or: [true]}', 'A logic statement must have exactly one key: found and, or'],
  ['{matches: {pattern: a}}', 'The statement [matches] needs [pattern] and [value]'],
  ['{matches: {pattern: "(", value: a}}', 'Cannot use pattern (: it misses a )'],
]

for (const [source, answer] of statements) {
  test(`${source === '' ? 'nothing' : source} is ${answer}`, () => assert.equal(truth(source), answer))
}
