import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unusedJobs } from './unused-jobs.ts'

test('a job is unused that neither a workflow nor a group of jobs mentions', () => {
  const source = `version: 2.1
jobs:
  build: {machine: true, steps: [checkout]}
  left: {machine: true, steps: [checkout]}
  grouped: {machine: true, steps: [checkout]}
  never: {machine: true, steps: [checkout]}
job-groups: {all: {jobs: [grouped]}}
workflows:
  main: {jobs: [{build: {name: x}}, all]}
  off: {when: false, jobs: [left]}
`
  assert.deepEqual(unusedJobs(source), [{ job: 'never', line: 6 }])
  assert.deepEqual(unusedJobs('version: 2\njobs: {build: {machine: true, steps: [checkout]}}\n'), [])
  assert.deepEqual(unusedJobs('jobs: ['), [])
})
