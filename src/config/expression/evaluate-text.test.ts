import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import type { Value } from './evaluate.ts'
import { evaluateText } from './evaluate-text.ts'

/** Variables of a pipeline for a branch: it has no tag. */
const variables = new Map<string, Value>([
  ['pipeline.git.branch', 'main'],
  ['pipeline.git.tag', undefined],
  ['pipeline.number', 12],
  ['pipeline.git.branch.is_default', true],
  ['ready?', false],
])

function evaluated(source: string): Value | { readonly message: string } {
  const result = evaluateText(source, (name) => ({ known: variables.has(name), value: variables.get(name) }), {
    left: 1e6,
  })
  return 'value' in result ? result.value : result
}

const values: readonly (readonly [source: string, value: Value])[] = [
  ['true', true],
  ['FALSE', false],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['pipeline.number', 12],
  ['pipeline.git.branch == "main"', true],
  ['pipeline.git.branch != "main"', false],
  ['pipeline.git.branch starts-with "ma"', true],
  ['pipeline.git.branch contains "ai"', true],
  ['pipeline.git.branch matches /m.*n/', true],
  ['pipeline.git.branch matches /ai/', false],
  ['"a/b" matches /a\\/b/', true],
  ['pipeline.number >= 12 and pipeline.number < 13', true],
  ['1 == "1"', false],
  ['1 != "1"', true],
  ['true and 10 or 1', 10],
  ['false and 10 or 1', 1],
  ['0 and "zero is true"', 'zero is true'],
  ['"" and "so is nothing"', 'so is nothing'],
  ['not ready?', true],
  ['!(true AND ready?) OR false', true],
  ['not true == false', true],
  ['1 < 2 == true', true],
  ['true or unknown', true],
  ['false and unknown', false],
  ['pipeline.git.tag', undefined],
  ['pipeline.git.tag != "v1"', undefined],
  ['pipeline.git.tag == pipeline.git.tag', undefined],
  ['pipeline.git.tag matches /v.*/', undefined],
  ['not pipeline.git.tag', true],
  ['pipeline.git.tag or "none"', 'none'],
  ['(1 == 1)', true],
]

for (const [source, value] of values) {
  test(`${source} is ${JSON.stringify(value)}`, () => assert.deepEqual(evaluated(source), value))
}

const mistakes: readonly (readonly [source: string, problem: string, mark: string])[] = [
  ['a & b', "Unexpected character '&':", '  ^'],
  ['1 = 1', 'Incomplete token, expected "==", found "= ":', '   ^'],
  ['=!', 'Incomplete token, expected "==", found "=!":', ' ^'],
  ['=😀', 'Incomplete token, expected "==", found "=😀":', ' ^^'],
  ['😀', "Unexpected character '😀':", '^^'],
  ['4 invalid 5', 'Unknown operator "invalid":', '  ^^^^^^^'],
  ['1 > 2 and hello world', 'Unexpected additional input:', '                ^^^^^'],
  ['"x" matches /(?=x)/', 'Invalid pattern, as it has an unknown flag =:', '            ^^^^^^^'],
  ['x == "abc', 'Unterminated string starting here:', '     ^'],
  ['"x" matches /abc', 'Unterminated pattern starting here:', '            ^'],
  ['"x" matches /a(/', 'Invalid pattern, as it misses a ):', '            ^^^^'],
  ['5 > "four"', 'Expected numeric operands to ">" operator:', '  ^'],
  ['5 starts-with "a"', 'Expected string operands to "starts-with" operator:', '  ^^^^^^^^^^^'],
  ['"x" matches "x"', 'Expected the right operand to "matches" operator to be a pattern:', '    ^^^^^^^'],
  ['pipeline.git.brunch', 'Referred to a variable "pipeline.git.brunch" that does not exist:', '^^^^^^^^^^^^^^^^^^^'],
  ['(1 == 1', 'Expected ")":', '       ^'],
  ['1 == 1 2', 'Unexpected additional input:', '       ^'],
  ['', 'Expected an expression:', '^'],
  ['foo..bar', "Unexpected character '.':", '   ^'],
  ['9223372036854775808', 'Number out of range: 9223372036854775808:', '^^^^^^^^^^^^^^^^^^^'],
]

for (const [source, problem, mark] of mistakes) {
  test(`what is wrong with ${JSON.stringify(source)} is shown below it`, () => {
    assert.deepEqual(evaluated(source), { message: `${problem}\n${source}\n${mark}` })
  })
}

test('any text has a value or a problem, in bounded time', () => {
  const word = fc.constantFrom(
    '(',
    ')',
    'not ',
    '!',
    ' and ',
    ' or ',
    '1',
    '"a"',
    '/a/',
    'x',
    ' == ',
    '<',
    '>=',
    ' matches ',
    ' ',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join('')),
  )
  fc.assert(
    fc.property(text, (source) => assert.doesNotThrow(() => evaluated(source))),
    { numRuns: 2000 },
  )
  assert.match(JSON.stringify(evaluated('('.repeat(5000))), /nested too deeply/)
  assert.match(JSON.stringify(evaluated('not '.repeat(5000))), /nested too deeply/)
})
