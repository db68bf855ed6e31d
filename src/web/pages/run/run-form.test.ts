import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeclaredParameter } from '#contract/rh/project-page.ts'
import { parametersToSend } from './run-form.ts'

const parameter = (name: string, type: DeclaredParameter['type'], usual: string | number | boolean) => ({
  name,
  type,
  default: usual,
  description: null,
  choices: [],
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
