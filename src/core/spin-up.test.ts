import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobBody } from './plan.ts'
import { withSpinUp } from './spin-up.ts'

const body = (executor: JobBody['executor']): JobBody => ({
  executor,
  parallelism: 1,
  environment: [],
  workingDirectory: '~/project',
  steps: [{ type: 'checkout', name: 'Checkout code', when: 'on_success', method: 'full' }],
})

test('a docker job begins with the step in which its environment is made, a machine job with its own first', () => {
  const names = (executor: JobBody['executor']) => withSpinUp(body(executor)).steps.map(({ name }) => name)
  assert.deepEqual(names({ type: 'docker', images: [] }), ['Spin up environment', 'Checkout code'])
  assert.deepEqual(names({ type: 'machine', dockerLayerCaching: false }), ['Checkout code'])
})
