import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { substitute } from './env-subst.ts'
import { variablesIn } from './exports.ts'

const variables = new Map([
  ['A', 'one'],
  ['B', 'two words'],
  ['EMPTY', ''],
])

test('variables and their defaults are put in place', () => {
  const cases: Readonly<Record<string, string>> = {
    '$A and ${B}': 'one and two words',
    '${NONE}|$NONE|$EMPTY': '||',
    '${NONE:-x}${EMPTY:-y}${EMPTY-z}${A:-w}': 'xyone',
    '${NONE:=x} ${NONE=${A}}': 'x one',
    '${A:+set}${NONE:+set}${EMPTY+set}': 'setset',
    '${NONE:-${EMPTY:-${A}}}': 'one',
    '${#B} $$A 5$ $1 a$': '9 $A 5$ $1 a$',
  }
  for (const [text, expected] of Object.entries(cases)) assert.equal(substitute(text, variables), expected, text)
})

test('what is no substitution is refused', () => {
  assert.throws(() => substitute('${A', variables), /closing brace expected/)
  assert.throws(() => substitute('${A!B}', variables), /bad substitution/)
  assert.throws(() => substitute('${X:-'.repeat(100) + '}'.repeat(100), variables), /more than 50/)
})

const shells = [['/bin/sh'], ['/bin/bash', '--posix'], ['/bin/bash'], ['/bin/busybox', 'sh']].filter(([file = '']) =>
  existsSync(file),
)

for (const [file = '', ...args] of shells) {
  test(`what ${[file, ...args].join(' ')} exports is read back as it was`, () => {
    const env = {
      PLAIN: 'x',
      QUOTES: `it's "so" \\ $HOME \`id\``,
      LINES: 'a\nexport B=1\n',
      EMPTY: '',
      TAB: 'a\tb\x01',
      UTF: 'ü€',
    }
    const text = execFileSync(file, [...args, '-c', 'export -p'], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const found = variablesIn(text)
    for (const [name, value] of Object.entries(env)) assert.equal(found.get(name), value, name)
  })
}
