import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import type { Plan } from '#core/plan.ts'
import { compile, type CompileInput } from './compile.ts'

const fixtures = ['everything', 'plain', 'old'].map((name) =>
  readFileSync(new URL(`./fixtures/${name}.yml`, import.meta.url), 'utf8'),
)
const input: CompileInput = { parameters: {}, values: { 'git.branch': 'main', number: 7 } }

/** What a compiled text can tell: not which version it was written in, and why that left something out. */
const told = ({ version: _, notBuilt: _why, noTests: _tests, ...rest }: Plan) => rest

/** Compiles twice: the plan of the compiled text must be the plan itself. */
function compileTwice(source: string, given: CompileInput): void {
  const once = compile(source, given)
  if (!once.ok) return assert.ok(once.problems.length > 0)
  const again = compile(once.text, { ...given, parameters: {} })
  assert.ok(again.ok, JSON.stringify(again))
  assert.deepEqual(told(again.plan), told(once.plan))
  assert.equal(again.text, once.text)
}

test('any text whatsoever yields a result', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => compileTwice(text, input)),
    { numRuns: 500 },
  )
})

test('any structure whatsoever yields a result', () => {
  const word = fc.constantFrom(
    'jobs',
    'build',
    'steps',
    'run',
    'workflows',
    'docker',
    'image',
    'requires',
    'matrix',
    'parameters',
    'type',
    'when',
    'orbs',
    'commands',
    'executor',
    '<< parameters.x >>',
    '*',
    '- a',
  )
  const tree = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 5 }),
    ),
  })).tree
  const top = fc.dictionary(word, tree, { maxKeys: 6 }).map((rest) => JSON.stringify({ version: 2.1, ...rest }))
  fc.assert(
    fc.property(top, (text) => compileTwice(text, input)),
    { numRuns: 1000 },
  )
})

const branch = fc.constantFrom('main', 'develop', 'wip-x', 'gh-pages')
const tag = fc.constantFrom('v1', 'v1.2', 'other')
const ref = fc.oneof(
  branch.map((name) => ({ 'git.branch': name })),
  tag.map((name) => ({ 'git.tag': name })),
)

test('the compiled form of a configuration compiles to the same plan, on any branch or tag', () => {
  const parameters = fc.record({
    deploy: fc.boolean(),
    shards: fc.integer({ min: 1, max: 9 }),
    size: fc.constantFrom('small', 'large'),
  })
  fc.assert(
    fc.property(fc.nat(2), ref, parameters, (which, values, given) => {
      const source = fixtures[which]!
      const once = compile(source, { values, parameters: which === 0 ? given : {} })
      assert.ok(once.ok, JSON.stringify(once))
      compileTwice(source, { values, parameters: which === 0 ? given : {} })
    }),
    { numRuns: 60 },
  )
})

test('a configuration with a line lost, doubled, moved, cut or mangled yields a result', () => {
  const change = fc.record({
    kind: fc.nat(5),
    line: fc.nat(),
    other: fc.nat(),
    sign: fc.constantFrom(':', '-', '{', '[', '<<', '>>', '"', '&a', '*a', '  ', '\t', '#', '\0', '<< parameters.x >>'),
  })
  fc.assert(
    fc.property(fc.nat(2), fc.array(change, { minLength: 1, maxLength: 3 }), (which, changes) => {
      const lines = fixtures[which]!.split('\n')
      for (const { kind, line, other, sign } of changes) mangle(lines, kind, line % lines.length, other, sign)
      compileTwice(lines.join('\n'), input)
    }),
    { numRuns: 400 },
  )
})

function mangle(lines: string[], kind: number, line: number, other: number, sign: string): void {
  const text = lines[line] ?? ''
  const at = other % (text.length + 1)
  if (kind === 0) lines.splice(line, 1)
  else if (kind === 1) lines.splice(line, 0, text)
  else if (kind === 2) lines.splice(other % lines.length, 0, ...lines.splice(line, 1))
  else if (kind === 3) lines[line] = text.slice(0, at)
  else if (kind === 4) lines[line] = text.slice(0, at) + sign + text.slice(at)
  else lines[line] = `${' '.repeat(other % 8)}${text.trimStart()}`
}
