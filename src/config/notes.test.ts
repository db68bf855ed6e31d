import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './compile.ts'

const source = `version: 2.1
jobs:
  a: &job {machine: true, steps: [checkout]}
  b: *job
  c: *job
workflows:
  main:
    jobs:
      - a
      - b: {filters: {branches: {only: release}}}
      - c: {requires: [b]}
  never: {when: pipeline.git.branch == "release", jobs: [a]}
  notHere: {unless: true, jobs: [a]}
  nightly:
    triggers: [{schedule: {cron: 0 0 * * *, filters: {branches: {only: main}}}}]
    jobs: [a]
`

const leftOut = (scheduled?: string) => {
  const compiled = compile(source, {
    parameters: {},
    values: { 'git.branch': 'main' },
    ...(scheduled !== undefined && { scheduled }),
  })
  return compiled.ok && compiled.leftOut.map(({ workflow, job, line, why }) => [workflow, job, line, why])
}

test('everything that is left out is told with its reason', () => {
  assert.deepEqual(leftOut(), [
    ['never', undefined, 12, { type: 'when' }],
    ['notHere', undefined, 13, { type: 'unless' }],
    ['main', 'b', 10, { type: 'filters' }],
    ['main', 'c', 11, { type: 'needs', jobs: ['b'] }],
    ['nightly', undefined, 15, { type: 'schedule' }],
  ])
})

test('at its time, a scheduled workflow keeps the others out', () => {
  const all = leftOut('nightly')
  assert.deepEqual(all && all.at(-1), ['main', undefined, 8, { type: 'not-scheduled' }])
})
