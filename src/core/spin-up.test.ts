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

test('a docker job begins with the steps in which its environment is made and told, a machine job with its own first', () => {
  const names = (executor: JobBody['executor']) => withSpinUp(body(executor)).steps.map(({ name }) => name)
  const images = ['node', 'postgres:17', 'redis'].map((image) => ({ image, environment: [] }))
  assert.deepEqual(names({ type: 'docker', images }), [
    'Spin up environment',
    'Container postgres:17',
    'Container redis',
    'Preparing environment variables',
    'Checkout code',
  ])
  assert.deepEqual(names({ type: 'machine', dockerLayerCaching: false }), ['Checkout code'])
})
