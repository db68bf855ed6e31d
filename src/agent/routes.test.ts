import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/agent.ts'
import * as tests from '#contract/agent/tests.ts'
import { routes } from './routes.ts'

const { registerAgent, claimJobs, heartbeat, reportSteps, appendLog, showLog, finishJob } = contract
const { storeTests, readTimings, readFailedTests } = tests
const endpoints = {
  registerAgent,
  claimJobs,
  heartbeat,
  reportSteps,
  appendLog,
  showLog,
  finishJob,
  storeTests,
  readTimings,
  readFailedTests,
}

test('every route is where the contract declares it', () => {
  const declared = Object.entries(endpoints).map(([name, { method, path }]) => [
    name,
    method,
    `/api/rh/v1${path}`.replace(':id', 'ID').replace(':index', '7'),
  ])
  const ours = Object.entries(routes).map(([name, { method, path }]) => [
    name,
    method,
    (path as (id: string, index: number) => string)('ID', 7),
  ])
  assert.deepEqual(
    Object.fromEntries(ours.map((one) => [one[0], one])),
    Object.fromEntries(declared.map((one) => [one[0], one])),
  )
})
