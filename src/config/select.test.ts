import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './compile.ts'
import { type Selection, selectFrom } from './select.ts'

const source = `version: 2.1
jobs:
  build: &job {machine: true, steps: [{run: 'true'}]}
  test: *job
  deploy: *job
  nightly: *job
workflows:
  main:
    jobs: [build, test: {requires: [build]}, hold: {type: approval, requires: [test]}, deploy: {requires: [hold, build]}]
  other:
    jobs: [nightly, build]
`

function selected(selection: Selection): unknown {
  const compiled = compile(source, { parameters: {}, values: { 'git.branch': 'main' } })
  assert.ok(compiled.ok)
  const result = selectFrom(compiled.plan, selection)
  if (!result.ok) return result.message
  return Object.fromEntries(
    result.plan.workflows.map(({ name, jobs }) => [
      name,
      jobs.map((job) => [job.name, ...job.needs.map((need) => need.job)].join(' < ')),
    ]),
  )
}

test('a workflow is selected by its name', () => {
  assert.deepEqual(selected({ workflows: ['other'] }), { other: ['nightly', 'build'] })
})

test('a job runs alone, and jobs that need each other in their order', () => {
  assert.deepEqual(selected({ jobs: ['deploy'] }), { main: ['deploy'] })
  assert.deepEqual(selected({ jobs: ['deploy', 'build', 'nightly'] }), {
    main: ['build', 'deploy < build'],
    other: ['nightly'],
  })
})

test('a job that runs with what it requires brings all of it', () => {
  assert.deepEqual(selected({ jobs: ['deploy'], withRequires: true }), {
    main: ['build', 'test < build', 'hold < test', 'deploy < hold < build'],
  })
})

test('a job of several workflows is that of the first, unless the workflow is said', () => {
  assert.deepEqual(selected({ jobs: ['build'] }), { main: ['build'] })
  assert.deepEqual(selected({ jobs: ['build'], workflows: ['other'] }), { other: ['build'] })
})

test('what is not there is named, with what was most likely meant', () => {
  assert.equal(selected({ jobs: ['biuld'] }), 'Cannot find job biuld. Did you mean [build]?')
  assert.equal(selected({ workflows: ['mian'] }), 'Cannot find workflow mian. Did you mean [main]?')
  assert.equal(selected({ workflows: ['other'], jobs: ['deploy'] }), 'Cannot find job deploy')
})
