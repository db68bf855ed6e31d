import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cucumberReader } from './cucumber.ts'
import type { ParsedTest } from './parsed-test.ts'

function read(value: unknown): readonly ParsedTest[] {
  const found: ParsedTest[] = []
  const reader = cucumberReader((one) => found.push(one))
  reader.write(typeof value === 'string' ? value : JSON.stringify(value))
  reader.end()
  return found
}

const step = (status: string, more: object = {}) => ({ result: { status, duration: 500_000_000, ...more } })

test('scenarios are tests, and their features classes', () => {
  const elements = [
    { type: 'background', name: 'set up', steps: [step('passed')] },
    { type: 'scenario', name: 'good', steps: [step('passed'), step('passed')] },
    { type: 'scenario', name: 'bad', steps: [step('failed', { error_message: 'no' }), step('skipped')] },
    { type: 'scenario', name: 'later', steps: [step('pending')] },
  ]
  const about = { classname: 'Sign in', file: 'features/in.feature' }
  assert.deepEqual(read([{ name: 'Sign in', uri: 'features/in.feature', elements }]), [
    { ...about, name: 'good', result: 'success', message: '', runTime: 1 },
    { ...about, name: 'bad', result: 'failure', message: 'no', runTime: 1 },
    { ...about, name: 'later', result: 'skipped', message: '', runTime: 0.5 },
  ])
})

test('any other JSON is refused', () => {
  assert.throws(() => read('{'), /it is not JSON/)
  assert.throws(() => read({ tests: 1 }), /it is not a report of Cucumber/)
  assert.throws(() => read([1]), /it is not a report of Cucumber/)
})
