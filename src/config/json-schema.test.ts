import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Compile } from 'typebox/schema'
import { parse } from 'yaml'
import { configSchema } from './json-schema.ts'
import { withSteps, withWorkflow } from './scenario.ts'

const schema = Compile(configSchema())
const accepts = (source: string) => schema.Check(parse(source, { merge: true }))

test('configurations that compile have the form that editors are told', () => {
  for (const name of ['everything', 'plain']) {
    const source = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.yml`), 'utf8')
    const [passes, errors] = schema.Errors(parse(source, { merge: true }))
    assert.ok(passes, `${name}: ${JSON.stringify(errors, undefined, 1)}`)
  }
})

test('what is right is not blamed', () => {
  assert.deepEqual([withSteps('- checkout\n- run: x'), withWorkflow(['a'], 'jobs: [a: {x: 1}]')].map(accepts), [
    true,
    true,
  ])
})

for (const [what, source] of [
  ['a key of a job', withSteps('- checkout').replace('steps:', 'stepz:')],
  ['a key of a step', withSteps('- run: {comand: x}')],
  ['a step with two keys', withSteps('- run: x\n  checkout: y')],
  ['a key of a workflow', withWorkflow(['a'], 'jobs: [a]\nwen: true')],
  ['a type of a job', withWorkflow(['a'], 'jobs: [a: {type: aproval}]')],
  ['a type of a parameter', `parameters: {a: {type: steps, default: []}}\n${withSteps('- checkout')}`],
] as const) {
  test(`editors see ${what} that is wrong`, () => {
    assert.equal(accepts(source), false)
  })
}

test('the schema is plain JSON, and every reference in it leads somewhere', () => {
  const plain = JSON.parse(JSON.stringify(configSchema())) as {
    readonly definitions: Readonly<Record<string, unknown>>
  }
  assert.deepEqual(plain, configSchema())
  const wanted = [...JSON.stringify(plain).matchAll(/#\/definitions\/(\w+)/g)].map(([, name]) => name ?? '')
  assert.deepEqual(
    wanted.filter((name) => !Object.hasOwn(plain.definitions, name)),
    [],
  )
})
