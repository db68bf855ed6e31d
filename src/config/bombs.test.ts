import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './compile.ts'

const input = { parameters: {}, values: { 'git.branch': 'm'.repeat(900) } }
const job = 'docker: [{image: a}], steps: [{run: a}]'
const list = (count: number) => numbers(count).join(', ')
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Each command calls the next one twice. */
const doubling = numbers(40)
  .map((i) => `  c${i}: {steps: [c${i + 1}, c${i + 1}]}`)
  .join('\n')

const bombs: readonly (readonly [name: string, source: string, problem: RegExp])[] = [
  ['a file of ten megabytes', `version: 2.1\n${'# comment\n'.repeat(1_000_000)}`, /at most 2097152 characters/],
  ['a billion laughs', laughs(), /at most 1000000 values/],
  ['lists in lists', `version: 2.1\njobs: ${'['.repeat(20_000)}`, /nested|Flow sequence/],
  ['maps in maps', `version: 2.1\njobs: ${'{a: '.repeat(20_000)}`, /nested|Flow map/],
  [
    'an ever deeper block',
    numbers(2000)
      .map((i) => `${' '.repeat(i)}a:`)
      .join('\n'),
    /nested at most 100 levels/,
  ],
  ['an anchor inside of itself', 'version: 2.1\njobs: &a {b: *a}', /Cannot find an anchor named a/],
  [
    'a matrix of a million',
    `version: 2.1\njobs: {build: {parameters: {a: {type: integer}, b: {type: integer}}, ${job}}}\nworkflows: {w: {jobs: [{build: {matrix: {parameters: {a: [${list(1000)}], b: [${list(1000)}]}}}}]}}`,
    /more than 1000 combinations: it has 1000000/,
  ],
  [
    'a command that calls itself',
    'version: 2.1\ncommands: {a: {steps: [a]}}\njobs: {build: {docker: [{image: a}], steps: [a]}}',
    /it calls itself/,
  ],
  [
    'commands that call each other',
    'version: 2.1\ncommands: {a: {steps: [b]}, b: {steps: [a]}}\njobs: {build: {docker: [{image: a}], steps: [a]}}',
    /it calls itself/,
  ],
  [
    'commands that double',
    `version: 2.1\ncommands:\n${doubling}\n  c40: {steps: [checkout]}\njobs: {build: {docker: [{image: a}], steps: [c0]}}`,
    /expands to too many steps/,
  ],
  ['a text that doubles', textThatDoubles(), /expands to too many steps/],
  [
    'an expression of parentheses',
    `version: 2.1\njobs: {build: {${job}}}\nworkflows: {w: {when: "${'('.repeat(100_000)}", jobs: [build]}}`,
    /nested too deeply/,
  ],
  [
    'an expression of a hundred thousand operators',
    `version: 2.1\njobs: {build: {${job}}}\nworkflows: {w: {when: "${'1 == '.repeat(100_000)}x", jobs: [build]}}`,
    /nested too deeply|does not exist/,
  ],
  [
    'matrices that require matrices',
    `version: 2.1\njobs: {build: {parameters: {a: {type: integer}}, ${job}}}\nworkflows: {w: {jobs: [{build: {name: a<< matrix.a >>, matrix: {alias: one, parameters: {a: [${list(900)}]}}}}, {build: {name: b<< matrix.a >>, requires: [one], matrix: {parameters: {a: [${list(900)}]}}}}]}}`,
    /more than 100000 needs/,
  ],
  [
    'thousands of parameters, used thousands of times',
    `version: 2.1\njobs: {a: {parameters: {${numbers(2000)
      .map((i) => `p${i}: {type: string, default: x}`)
      .join(', ')}}, ${job}}}\nworkflows: {w: {jobs: [${numbers(2000)
      .map((i) => `{a: {p1: "${i}"}}`)
      .join(', ')}]}}`,
    /expands to too many steps/,
  ],
  [
    'thousands of patterns that are hard to match',
    `version: 2.1\njobs: {build: {${job}}}\nworkflows: {w: {jobs: [${numbers(3000)
      .map((i) => `{build: {filters: {branches: {only: "/(${i}|m*)*(m*)*n(a*)*x/"}}}}`)
      .join(', ')}]}}`,
    /patterns take too long to match/,
  ],
  [
    'an orb that imports itself',
    'version: 2.1\norbs: {a: b/c@1}\njobs: {build: {docker: [{image: a}], steps: [a/x]}}',
    /Cannot load orb b\/c@1: it imports itself/,
  ],
]

function laughs(): string {
  const lines = numbers(30).map((i) => `  a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}]`)
  return `version: 2.1\nx:\n  a0: &a0 [lol, lol]\n${lines.join('\n')}\njobs: *a30`
}

/** Each command hands its argument on twice over. */
function textThatDoubles(): string {
  const commands = numbers(60).map(
    (i) => `  c${i}: {parameters: {t: {type: string}}, steps: [c${i + 1}: {t: << parameters.t >><< parameters.t >>}]}`,
  )
  return `version: 2.1\ncommands:\n${commands.join('\n')}\n  c60: {parameters: {t: {type: string}}, steps: [run: << parameters.t >>]}\njobs: {build: {docker: [{image: a}], steps: [c0: {t: xx}]}}`
}

for (const [name, source, problem] of bombs) {
  test(`${name} ends in a problem, soon`, () => {
    const started = process.cpuUsage().user
    const compiled = compile(source, { ...input, orbs: (resolved) => ({ text: 'orbs: {again: b/c@1}', resolved }) })
    const seconds = (process.cpuUsage().user - started) / 1e6
    assert.ok(!compiled.ok)
    assert.match(compiled.problems.map(({ message }) => message).join('\n'), problem)
    assert.ok(seconds < 15, `${seconds} s`)
  })
}
