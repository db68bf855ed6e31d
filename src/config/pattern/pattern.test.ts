import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { matchesPattern, patternProblem } from './pattern.ts'

const matching: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['.*', ['', 'main', 'a/b'], ['a\nb']],
  ['main', ['main'], ['mainline', 'xmain', '']],
  ['^release/.*$', ['release/1'], ['my-release/1']],
  ['v\\d+(\\.\\d+){2}', ['v1.2.3'], ['v1.2', 'v1.2.3-rc1']],
  ['(feature|bugfix)\\/(\\w+-)*\\w+', ['feature/a-b-c', 'bugfix/x'], ['feature/', 'chore/x']],
  ['(?!main).*', ['develop', 'amain'], ['main', 'mainline']],
  ['.*(?<!-wip)', ['feature'], ['feature-wip']],
  ['(?i)MAIN', ['main', 'Main'], ['mains']],
  ['(?i:rel)-[A-Z]', ['REL-A', 'rel-B'], ['rel-b']],
  ['[^/]+', ['main'], ['a/b']],
  ['[a-c&&[^b]]+', ['ac'], ['abc']],
  ['[[:alpha:]\\d_-]+', ['a-1_B'], ['a b']],
  ['\\p{L}+', ['größe'], ['a1']],
  ['\\Qa.b\\E', ['a.b'], ['axb']],
  ['a{2,3}', ['aa', 'aaa'], ['a', 'aaaa']],
  ['a{2}b{0,1}c{1,}', ['aac', 'aabcc'], ['aab']],
  ['\\bfix\\b.*', ['fix it'], ['fixes']],
  ['a*+b??', ['aaa', 'b'], ['c']],
  ['(?<name>x)|y', ['x', 'y'], ['z']],
  ['', [''], ['a']],
]

for (const [pattern, yes, no] of matching) {
  test(`/${pattern}/ matches whole names, and only those meant`, () => {
    const found = [...yes, ...no].filter((text) => matchesPattern(pattern, text))
    assert.deepEqual(found, yes)
  })
}

test('a pattern that cannot be used says why, and matches nothing', () => {
  const patterns = [
    '(',
    ')',
    '[a',
    'a{3,2}',
    '*a',
    '(a)\\1',
    '\\',
    '\\y',
    '[z-a]',
    'x'.repeat(1001),
    '(((a{99}){99}){99})',
    '(?z)a',
  ]
  assert.deepEqual(
    patterns.map((pattern) => [patternProblem(pattern) === undefined, matchesPattern(pattern, pattern)]),
    patterns.map(() => [false, false]),
  )
})

test('no pattern takes more than a moment, however it is built', () => {
  const evil = [
    '(a+)+b',
    '(a|a)*b',
    '(a*)*b',
    '(.*)*(.*)*(.*)*b',
    '(?=(a+)+b).*',
    '((a{30}){30}){5}b',
    '(){999}{999}{999}',
    '(?<=(a*)*)b',
  ]
  const text = 'a'.repeat(999)
  const started = process.cpuUsage().user
  assert.deepEqual(
    evil.map((pattern) => matchesPattern(pattern, text)),
    evil.map(() => false),
  )
  assert.ok(process.cpuUsage().user - started < 10_000_000)
})

const piece = fc.constantFrom(
  'a',
  'b',
  '.',
  'a*',
  'b+',
  '[ab]',
  '[^a]',
  '(?:',
  '(',
  ')',
  '|',
  '?',
  '{1,2}',
  '^',
  '$',
  '(?=',
  '(?!',
  '\\w',
  '\\b',
  '-',
)

test('agrees with the engine of the platform on everything both understand', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 6 }),
      (pieces, text) => {
        const pattern = pieces.join('')
        const expected = platformMatches(pattern, text)
        if (expected === undefined || patternProblem(pattern) !== undefined) return
        assert.equal(matchesPattern(pattern, text), expected, `/${pattern}/ on ${text}`)
      },
    ),
    { numRuns: 3000 },
  )
})

function platformMatches(pattern: string, text: string): boolean | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text)
  } catch {
    return undefined
  }
}

test('never throws, whatever the pattern', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }), (pattern, text) => {
      assert.equal(typeof matchesPattern(pattern, text), 'boolean')
    }),
    { numRuns: 2000 },
  )
})
