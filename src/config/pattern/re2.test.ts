import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchesPattern, patternProblem } from './pattern.ts'

/** A pattern, texts that it matches as a whole, and texts that it does not. */
type Case = readonly [pattern: string, matching: readonly string[], others?: readonly string[]]

const raw = String.raw
const good: readonly Case[] = [
  ['', [''], ['a']],
  ['a|ab', ['a', 'ab'], ['b']],
  ['a??', ['', 'a']],
  ['x{,3}', ['x{,3}'], ['xxx']],
  ['x{01}', ['x{01}'], ['x']],
  ['a{2', ['a{2']],
  ['a(?i)*', ['', 'aaa'], ['AAA']],
  ['.', ['a', '\r', 'é'], ['\n']],
  [raw`\101\12`, ['A\n']],
  [raw`a\Qb*c\Ed`, ['ab*cd']],
  [raw`a\Q\E*`, ['', 'aa']],
  [raw`\s`, [' ', '\t'], ['\v']],
  [raw`\p{^L}`, ['1'], ['a']],
  [raw`\p{Greek}`, ['α'], ['a']],
  [raw`(?i)\p{Lu}`, ['a']],
  ['[[]', ['[']],
  ['[[:^alpha:]]', ['1'], ['a']],
  ['[[:a]', ['a', ':']],
  ['[a&&b]', ['a', '&', 'b']],
  ['(?P<name>a)', ['a']],
  ['(?)', ['']],
  ['(?U)a+', ['aaa']],
  ['(?i)s', ['S', 'ſ']],
]
const bad: readonly string[] = [
  'a**',
  'a*+',
  'a{2}*',
  '(?i)*',
  raw`\Q\E*`,
  'x{1001}',
  'x{99999999999}',
  raw`\Z`,
  raw`\e`,
  raw`\1`,
  raw`\p{Letter}`,
  raw`\p{Grek}`,
  raw`\p{Script=Greek}`,
  '[[:foo:]]',
  '(?P<a-b>a)',
  '(?P<a>x)(?P<a>y)',
  '(?=a)',
  '(?<!a)',
  '(?>a)',
  '(?i-)',
  '(?--i)',
  '(?x)',
]

describe('a pattern of an expression is one of RE2', () => {
  for (const [pattern, matching, others = []] of good) {
    test(`/${pattern}/ can be used`, () => {
      assert.equal(patternProblem(pattern, 're2'), undefined)
      const found = [...matching, ...others].filter((text) => matchesPattern(pattern, text, { left: 1e6 }, 're2'))
      assert.deepEqual(found, matching)
    })
  }
  for (const pattern of bad) {
    test(`/${pattern}/ cannot be used`, () => assert.notEqual(patternProblem(pattern, 're2'), undefined))
  }
})
