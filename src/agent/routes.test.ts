import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/agent.ts'
import { routes } from './routes.ts'

test('every route is where the contract declares it', () => {
  const declared = (
    [
      'registerAgent',
      'claimJobs',
      'heartbeat',
      'reportSteps',
      'waitForNodes',
      'appendLog',
      'showLog',
      'finishJob',
    ] as const
  ).map((name) => {
    const { method, path } = contract[name]
    return [name, method, `/api/rh/v1${path}`.replace(':id', 'ID').replace(':index', '7')]
  })
  const ours = Object.entries(routes).map(([name, { method, path }]) => [
    name,
    method,
    (path as (id: string, index: number) => string)('ID', 7),
  ])
  assert.deepEqual(ours, declared)
})
