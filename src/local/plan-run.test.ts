import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRun, type Wish } from './plan-run.ts'

const source = `version: 2.1
parameters: {level: {type: integer, default: 1}, loud: {type: boolean, default: false}, word: {type: string, default: '1'}}
jobs:
  build: &job {machine: true, steps: [{run: 'true'}]}
  test: *job
  deploy: *job
  spare: *job
workflows:
  main:
    jobs: [build, test: {requires: [build]}, deploy: {filters: {branches: {only: main}}}]
  night:
    when: << pipeline.parameters.loud >>
    jobs: [build]
`
const usual: Wish = {
  file: 'config.yml',
  source,
  branch: 'topic',
  tag: undefined,
  names: [],
  workflows: [],
  jobs: [],
  withRequires: false,
  parameters: [],
  orbs: () => undefined,
}

const told = (wish: Partial<Wish>): string => {
  const planned = planRun({ ...usual, ...wish })
  if (!planned.ok) return planned.text
  const { plan, part } = planned
  const jobs = plan.workflows.map(({ name, jobs }) => `${name}: ${jobs.map((job) => job.name).join(' ')}`)
  return [...jobs, JSON.stringify(part)].join('\n')
}

test('without a wish everything runs that would run for the branch', () => {
  assert.equal(told({}), 'main: build test\n{}')
})

test('a name is that of a workflow or of a job, and a job that no workflow has runs alone', () => {
  assert.equal(told({ names: ['test'] }), 'main: test\n{"only":{"jobs":["test"],"withRequires":false}}')
  assert.equal(told({ names: ['main'] }), 'main: build test\n{"only":{"workflows":["main"],"withRequires":false}}')
  assert.match(told({ names: ['spare'] }), /spare\n\{"job":"spare"\}$/)
})

test('a job of a configuration without workflows runs by its name', () => {
  const bare = 'version: 2.1\njobs: {lint: {machine: true, steps: [checkout]}}\n'
  assert.match(told({ source: bare, names: ['lint'] }), /lint\n\{"job":"lint"\}$/)
  assert.match(told({ source: bare, names: ['lnit'] }), /^config\.yml:2:/)
})

test('what does not run for the branch says why, and runs for another', () => {
  const why = 'Cannot run job deploy, as its filters do not let branch topic in (config.yml:10)'
  assert.equal(told({ names: ['deploy'] }), why)
  assert.match(told({ jobs: ['deploy'], branch: 'main' }), /^main: deploy\n/)
  assert.equal(told({ workflows: ['night'] }), 'Cannot run workflow night, as its [when] does not hold (config.yml:12)')
  assert.match(told({ workflows: ['night'], parameters: ['loud=true'] }), /^night: build\n/)
})

test('a name that is not there comes with the nearest and with all of them', () => {
  const text =
    'Cannot find workflow or job tets in config.yml. Did you mean [test]?\nThere are: main, build, test, spare'
  assert.equal(told({ names: ['tets'] }), text)
  assert.match(told({ jobs: ['none'] }), /^Cannot find job none in config\.yml\nThere are: /)
})

test('parameters have the types that they are declared with', () => {
  const planned = planRun({ ...usual, parameters: ['level=3', 'loud=true', 'word=2'] })
  assert.deepEqual(planned.ok && planned.parameters, { level: 3, loud: true, word: '2' })
  assert.match(told({ parameters: ['level=high'] }), /^config\.yml:2:/)
  assert.match(told({ parameters: ['lvel=1'] }), /lvel.*Did you mean \[level\]/)
  assert.match(told({ parameters: ['level'] }), /^Cannot read the parameter level as it must be name=value/)
})

test('a broken configuration is told as compilers do', () => {
  assert.match(told({ source: 'version: 2.1\njobs: [' }), /^config\.yml:2:\d+: [^]*\n {2}2 \| jobs: \[/)
})
