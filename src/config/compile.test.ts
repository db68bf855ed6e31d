import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, declaredVersion } from './compile.ts'

const onMain = { parameters: {}, values: { 'git.branch': 'main' } }

const job = 'docker: [{image: alpine}]\n    steps: [{run: make}]'

test('a lone job named build is wrapped in a workflow named workflow', () => {
  const compiled = compile(`version: 2\njobs:\n  build:\n    ${job}\n`, onMain)
  assert.ok(compiled.ok)
  assert.deepEqual(compiled.plan, {
    version: '2',
    setup: false,
    workflows: [
      {
        name: 'workflow',
        jobs: [
          {
            name: 'build',
            kind: 'build',
            needs: [],
            contexts: [],
            body: {
              executor: { type: 'docker', images: [{ image: 'alpine', environment: [] }] },
              parallelism: 1,
              environment: [],
              workingDirectory: '~/project',
              steps: [
                {
                  name: 'make',
                  when: 'on_success',
                  type: 'run',
                  command: 'make',
                  environment: [],
                  background: false,
                  noOutputTimeoutMs: 600_000,
                },
              ],
            },
          },
        ],
      },
    ],
    notify: [],
  })
})

test('every problem is told at once, each with its place and the way to it', () => {
  const source = [
    'version: 2.1',
    'jobs:',
    '  build:',
    '    dokcer: [{image: alpine}]',
    '    machine: true',
    '    steps:',
    '      - runn: make',
    '      - run: {name: no command}',
    '',
  ].join('\n')
  const compiled = compile(source, onMain)
  assert.ok(!compiled.ok)
  assert.deepEqual(
    compiled.problems.map(
      ({ line, column, path, message }) => `${line}:${column} ${path.join(' > ')} | ${message.split('\n')[0]}`,
    ),
    [
      '4:5 workflow: workflow > job: build | extraneous key [dokcer] is not permitted. Did you mean [docker]?',
      '7:9 workflow: workflow > job: build | Cannot find a definition for command named runn. Did you mean [run]?',
      '8:14 workflow: workflow > job: build > step: run | required key [command] not found',
    ],
  )
})

test('version 2 does not mind what it does not know about a job, unless the job would run nowhere', () => {
  const source = (executor: string) => `version: 2\njobs: {build: {${executor}, branch: main, steps: [checkout]}}\n`
  assert.ok(compile(source('machine: true'), onMain).ok)
  assert.ok(!compile(source('dokcer: [{image: alpine}]'), onMain).ok)
})

test('a configuration tells its version', () => {
  const versions = [
    'version: 2',
    'version: 2.0',
    'version: "2.1"',
    'version: 2.1',
    'version: 3',
    'test: {}',
    '- 1',
  ].map(declaredVersion)
  assert.deepEqual(versions, ['2', '2', '2.1', '2.1', undefined, '1.0', undefined])
})
