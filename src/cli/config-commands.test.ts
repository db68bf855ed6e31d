import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain, processConfig, type Question, validate } from './config-commands.ts'
import { readPipelineParameters } from './pipeline-parameters.ts'
import { showProblems } from './show-problems.ts'

const source = `version: 2.1
parameters: {deep: {type: boolean, default: false}}
jobs:
  build: &job {machine: true, steps: [checkout]}
  test: *job
  lint: *job
  deploy: *job
  release: *job
  mourn: &nothing {type: no-op}
  tell: *nothing
workflows:
  main:
    jobs:
      - build
      - test: {requires: [build]}
      - lint: {requires: [build]}
      - hold: {type: approval, requires: [test, lint]}
      - deploy: {requires: [hold], context: secrets}
      - mourn: {requires: [deploy: failed]}
      - release: {requires: [lint], filters: {branches: {only: release}}}
      - tell: {requires: [release]}
  deep: {when: << pipeline.parameters.deep >>, jobs: [build]}
  nightly:
    triggers: [{schedule: {cron: 0 0 * * *, filters: {branches: {only: main}}}}]
    jobs: [build]
`

const question = (given: Partial<Question> = {}): Question => ({
  file: 'ci.yml',
  source,
  branch: 'main',
  tag: undefined,
  parameters: {},
  orbs: () => undefined,
  ...given,
})

test('a right configuration is called valid', () => {
  assert.deepEqual(validate(question()), { ok: true, text: 'ci.yml is valid.' })
})

test('problems stand at their places, with the way there and the line', () => {
  const wrong = source.replace('- deploy: {requires: [hold]', '- deploy: {requires: [hlod]')
  assert.deepEqual(validate(question({ source: wrong })), {
    ok: false,
    text: `ci.yml:18:29: Job 'deploy' requires 'hlod', which is the name of 0 other jobs in workflow 'main'
  in workflow: main > job: deploy
  18 |       - deploy: {requires: [hlod], context: secrets}
     |                             ^

ci.yml: 1 problem`,
  })
})

test('a problem without a place has none, and nothing in it reaches the terminal as a command', () => {
  const shown = showProblems('a.yml', '\tx\u001b[2J', [
    { message: 'no\u001b[31m\nmore', path: [] },
    { message: 'here', line: 1, column: 2, path: ['job: a'] },
  ])
  assert.equal(
    shown,
    'a.yml: no\ufffd[31m\n  more\n\na.yml:1:2: here\n  in job: a\n  1 | \tx\ufffd[2J\n    | \t^\n\na.yml: 2 problems',
  )
})

test('a line too wide for a screen is cut around the place', () => {
  const shown = showProblems('a.yml', `${'x'.repeat(500)}HERE${'y'.repeat(500)}`, [
    { message: 'm', line: 1, column: 501, path: [] },
  ])
  const [, line = '', caret = ''] = shown.split('\n')
  assert.ok(line.length < 200)
  assert.equal(line.slice(caret.length - 1, caret.length + 3), 'HERE')
})

test('what would run is a tree, and what would not has its reason', () => {
  assert.equal(
    explain(question()).text,
    `This configuration would run for branch main:

workflow main
  build
  ├─ test
  └─ lint
     └─ hold (approval; after test, lint)
        └─ deploy (context secrets)
           └─ mourn (no-op; after deploy is failed)
  ✗ release: left out, as its filters do not let branch main in (line 20)
  ✗ tell: left out, as all it requires is left out: release (line 21)

workflow deep: left out, as its [when] does not hold (line 22)

workflow nightly: left out, as it runs only at the times of its triggers (line 24)`,
  )
})

test('a job that no workflow mentions is told', () => {
  const source = `version: 2.1
jobs: {a: {machine: true, steps: [checkout]}, b: {machine: true, steps: [checkout]}}
workflows: {main: {jobs: [a]}}
`
  assert.equal(
    explain(question({ source })).text,
    'This configuration would run for branch main:\n\nworkflow main\n  a\n\njobs that no workflow mentions\n  ✗ b (line 2)',
  )
})

test('parameters and branch decide what is explained', () => {
  const { text } = explain(question({ branch: 'release', parameters: { deep: true } }))
  assert.ok(text.includes('\n     └─ release\n        └─ tell (no-op)\n'))
  assert.ok(text.includes('\nworkflow deep\n  build\n'))
})

test('a configuration that runs nothing for a tag says so, and what a tag needs', () => {
  const { text } = explain(question({ branch: undefined, tag: 'v1' }))
  assert.ok(text.startsWith('This configuration would run nothing for tag v1.\n\nworkflow main: left out'))
  assert.ok(text.includes('✗ build: left out, as its filters do not let tag v1 in: a tag needs a filter that names it'))
})

test('the processed form carries its source, and is itself valid', () => {
  const { ok, text } = processConfig(question())
  assert.ok(ok && text.startsWith('version: 2\n') && text.includes('\n# Original config.yml file:\n# version: 2.1\n'))
  assert.equal(validate(question({ source: text })).ok, true)
})

test('parameters are read from JSON or YAML, and must be plain values', () => {
  assert.deepEqual(readPipelineParameters('{"a": 1, "b": true}'), { a: 1, b: true })
  assert.deepEqual(readPipelineParameters('a: x\nb: 2'), { a: 'x', b: 2 })
  assert.deepEqual(readPipelineParameters(''), {})
  for (const wrong of ['[1]', 'a: [1]', 'x', '{'])
    assert.match(JSON.stringify(readPipelineParameters(wrong)), /^"Cannot read the pipeline/)
})
