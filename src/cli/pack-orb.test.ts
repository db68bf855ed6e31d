import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packOrb } from './pack-orb.ts'

const files = {
  'scripts/greet.sh': 'cat <<EOF\n  hi\nEOF\n',
  'commands/greet.yml':
    'parameters: {v: {type: string, default: 13.0}}\nsteps:\n  - run:\n      command: <<include(scripts/greet.sh)>>\n',
  'jobs/say.yaml': 'machine: true\nsteps:\n  - run: "echo << include(scripts/one) >>!"\n',
  'scripts/one': 'one',
  '@orb.yml': 'version: 2.1\ndescription: Greets\n',
  'executors/@all.yml': 'small: &s {docker: [{image: a}]}\nlarge: *s\n',
}

const pack = (given: Readonly<Record<string, string>>) => packOrb(new Map(Object.entries(given)))

test('a tree of files becomes one orb', () => {
  assert.deepEqual(pack(files), {
    ok: true,
    text: `version: 2.1
description: Greets
commands:
  greet:
    parameters: { v: { type: string, default: 13.0 } }
    steps:
      - run:
          command: |
            cat \\<<EOF
              hi
            EOF
executors:
  small: &s { docker: [ { image: a } ] }
  large: *s
jobs:
  say:
    machine: true
    steps:
      - run: echo one!
`,
  })
})

for (const [what, given, problem] of [
  [
    'a file that is not there',
    { 'commands/a.yml': 'steps: [{run: <<include(b.sh)>>}]' },
    'Cannot include b.sh in commands/a.yml: there is no such file',
  ],
  [
    'what is defined twice',
    { '@orb.yml': 'commands: {a: {steps: []}}', 'commands/@x.yml': 'a: {}' },
    'Cannot pack commands/@x.yml: a is defined twice',
  ],
  ['a file that is no mapping', { 'commands/a.yml': '- a' }, 'Cannot pack commands/a.yml as it must be a mapping'],
  ['nothing', { 'readme.md': 'hi' }, 'Cannot pack an orb of nothing: there is no YAML file'],
] as const) {
  test(`${what} cannot be packed`, () => {
    assert.deepEqual(pack(given), { ok: false, problems: [problem] })
  })
}

test('YAML that cannot be read is told with its file', () => {
  const packed = pack({ 'commands/a.yml': 'a: [' })
  assert.match(packed.ok ? '' : packed.problems.join('\n'), /^Cannot read commands\/a.yml: /)
})
