import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeclaredParameter } from '#contract/rh/project-page.ts'
import { parametersToSend, problemsIn } from './run-form.ts'

const parameter = (name: string, type: DeclaredParameter['type'], usual: DeclaredParameter['default']) => ({
  name,
  type,
  default: usual,
  description: null,
  choices: type === 'enum' ? ['staging', 'production'] : [],
})

test('sends only what differs from what is declared, each as its type wants it', () => {
  const declared = [
    parameter('deep', 'boolean', false),
    parameter('times', 'integer', 3),
    parameter('note', 'string', 'x'),
    parameter('where', 'enum', 'staging'),
  ]
  assert.deepEqual(parametersToSend(declared, {}), {})
  assert.deepEqual(parametersToSend(declared, { deep: true, times: '4', note: '', where: 'staging' }), {
    deep: true,
    times: 4,
    note: '',
  })
})

test('what a configuration would refuse is said before it is sent, at the parameter', () => {
  const declared = [
    parameter('count', 'integer', 1),
    parameter('word', 'string', null),
    parameter('where', 'enum', 'staging'),
  ]
  assert.deepEqual(problemsIn(declared, { word: 'x' }), {})
  assert.deepEqual(problemsIn(declared, { count: '1.5', where: 'moon', word: 'x'.repeat(513) }), {
    count: 'count must be a whole number, like 3',
    word: 'word must not be longer than 512 letters',
    where: 'where must be one of staging, production',
  })
  assert.deepEqual(Object.keys(problemsIn(declared, {})), ['word'])
})
