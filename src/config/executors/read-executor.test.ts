import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, indent, messagesOf, planOf } from '#config/scenario.ts'

const withJob = (keys: string) => `version: 2\njobs:\n  build:\n    steps: [checkout]\n${indent(keys, 4)}\n`

test('a docker job has its images in order, each with everything said about it', () => {
  const keys = [
    'docker:',
    '  - image: cimg/go:1.22',
    '    auth: {username: $USER, password: $PASSWORD}',
    '    environment: [A=1=2, B: x]',
    '  - image: 123456789012.dkr.ecr.eu-west-1.amazonaws.com/redis',
    '    name: cache',
    '    user: redis',
    '    entrypoint: redis-server --save "a b"',
    '    command: [--port, 7000]',
    '    aws_auth: {aws_access_key_id: id, aws_secret_access_key: $SECRET}',
  ].join('\n')
  assert.deepEqual(bodyOf(planOf(withJob(keys))).executor, {
    type: 'docker',
    images: [
      {
        image: 'cimg/go:1.22',
        environment: [
          ['A', '1=2'],
          ['B', 'x'],
        ],
        auth: { username: '$USER', password: '$PASSWORD' },
      },
      {
        image: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/redis',
        name: 'cache',
        user: 'redis',
        entrypoint: ['redis-server', '--save', 'a b'],
        command: ['--port', '7000'],
        environment: [],
        awsAuth: { aws_access_key_id: 'id', aws_secret_access_key: '$SECRET' },
      },
    ],
  })
})

test('a machine is true, a name, or a mapping', () => {
  const machines = ['true', 'default', 'ubuntu-2404:current', '{image: i, docker_layer_caching: true}'].map(
    (machine) => bodyOf(planOf(withJob(`machine: ${machine}`))).executor,
  )
  assert.deepEqual(machines, [
    { type: 'machine', dockerLayerCaching: false },
    { type: 'machine', dockerLayerCaching: false },
    { type: 'machine', image: 'ubuntu-2404:current', dockerLayerCaching: false },
    { type: 'machine', image: 'i', dockerLayerCaching: true },
  ])
})

test('an xcode keeps the form it was written in, and class and shell may stand inside', () => {
  const body = bodyOf(planOf(withJob('macos: {xcode: 16.0, resource_class: m4pro.medium, shell: /bin/zsh}')))
  assert.deepEqual(
    [body.executor, body.resourceClass, body.shell],
    [{ type: 'macos', xcode: '16.0' }, 'm4pro.medium', '/bin/zsh'],
  )
})

test('a job has the usual values unless it says otherwise', () => {
  const plain = bodyOf(planOf(withJob('machine: true')))
  const said = bodyOf(
    planOf(
      withJob(
        'machine: true\nparallelism: 4\nworking_directory: ~/app\nshell: [bash, -e]\nresource_class: large\nretention: {caches: 5d}',
      ),
    ),
  )
  assert.deepEqual(
    [plain.parallelism, plain.workingDirectory, plain.shell, plain.resourceClass],
    [1, '~/project', undefined, undefined],
  )
  assert.deepEqual(
    [said.parallelism, said.workingDirectory, said.shell, said.resourceClass, said.cacheRetentionDays],
    [4, '~/app', 'bash -e', 'large', 5],
  )
})

test('an environment may be a mapping, a list or nothing, and dates stay text', () => {
  const forms = ['{A: 1.0, B: 2019-01-01, C: off}', '[A=1, {B: 2, C: 3}]', ''].map(
    (form) => bodyOf(planOf(withJob(`machine: true\nenvironment: ${form}`))).environment,
  )
  assert.deepEqual(forms, [
    [
      ['A', '1.0'],
      ['B', '2019-01-01'],
      ['C', 'false'],
    ],
    [
      ['A', '1'],
      ['B', '2'],
      ['C', '3'],
    ],
    [],
  ])
})

const mistakes: readonly (readonly [keys: string, ...messages: string[]])[] = [
  ['shell: x', 'A job must have one of `docker`, `machine`, `macos` or `executor`'],
  ['machine: true\ndocker: [{image: a}]', 'Cannot run a job in more than one place: docker, machine'],
  ['docker: []', '[docker] must have at least one image'],
  ['docker: {image: a}', '[docker] expected type: Sequence, found: Mapping'],
  [
    'docker: [{imaeg: a}]',
    'extraneous key [imaeg] is not permitted. Did you mean [image]?',
    'required key [image] not found',
  ],
  ['macos: {}', 'required key [xcode] not found'],
  ['machine: true\nparallelism: 0', '[parallelism] must be between 1 and 1000, found: 0'],
  ['machine: true\nparallelism: many', '[parallelism] expected type: Integer, found: String'],
  ['machine: true\nenvironment: text', '[environment] expected type: Mapping, found: String'],
  ['machine: true\nenvironment: {A: [1]}', '[environment.A] expected type: String, found: Sequence'],
  ['machine: true\nretention: {caches: 99d}', '[retention.caches] must be from 1d to 15d, found: 99d'],
]

for (const [keys, ...messages] of mistakes) {
  test(`${JSON.stringify(keys)} is refused`, () => {
    assert.deepEqual(messagesOf(withJob(keys)).toSorted(), messages.toSorted())
  })
}
