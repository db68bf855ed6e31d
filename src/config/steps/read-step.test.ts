import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '#core/plan.ts'
import { bodyOf, messagesOf, planOf, withSteps } from '#config/scenario.ts'

const run = { type: 'run', when: 'on_success', environment: [], background: false, noOutputTimeoutMs: 600_000 } as const

const steps: readonly (readonly [written: string, step: Step])[] = [
  ['run: make', { ...run, name: 'make', command: 'make' }],
  ['run: {name: Make, command: make, when: always}', { ...run, name: 'Make', command: 'make', when: 'always' }],
  [
    'run: {command: a, shell: /bin/sh, working_directory: sub, background: true, no_output_timeout: 1.5h, environment: {A: 1, B: yes, C: }}',
    {
      ...run,
      name: 'a',
      command: 'a',
      shell: '/bin/sh',
      workingDirectory: 'sub',
      background: true,
      noOutputTimeoutMs: 5_400_000,
      environment: [
        ['A', '1'],
        ['B', 'true'],
        ['C', '<nil>'],
      ],
    },
  ],
  [
    'run: {command: a, max_auto_reruns: 3, auto_rerun_delay: 2m}',
    { ...run, name: 'a', command: 'a', maxAutoReruns: 3, autoRerunDelayMs: 120_000 },
  ],
  ['deploy: {command: ship}', { ...run, type: 'deploy', name: 'ship', command: 'ship' }],
  ['checkout', { type: 'checkout', name: 'Checkout code', when: 'on_success', method: 'full' }],
  ['checkout: {directory: x}', { type: 'checkout', name: 'Checkout code', when: 'on_success', method: 'full' }],
  ['checkout: {method: shallow}', { type: 'checkout', name: 'Checkout code', when: 'on_success', method: 'shallow' }],
  [
    'checkout: {path: src, method: shallow, depth: 5}',
    { type: 'checkout', name: 'Checkout code', when: 'on_success', path: 'src', method: 'shallow', depth: 5 },
  ],
  [
    'save_cache: {key: k, paths: [a, b], when: always}',
    { type: 'save_cache', name: 'Saving cache', when: 'always', key: 'k', paths: ['a', 'b'] },
  ],
  [
    'restore_cache: {key: a, keys: [b, c]}',
    { type: 'restore_cache', name: 'Restoring cache', when: 'on_success', keys: ['a', 'b', 'c'] },
  ],
  [
    'persist_to_workspace: {root: /tmp, paths: ["*"]}',
    { type: 'persist_to_workspace', name: 'Persisting to workspace', when: 'on_success', root: '/tmp', paths: ['*'] },
  ],
  [
    'attach_workspace: {at: /tmp}',
    { type: 'attach_workspace', name: 'Attaching workspace', when: 'on_success', at: '/tmp' },
  ],
  [
    'store_artifacts: {path: out, destination: d, name: Keep}',
    { type: 'store_artifacts', name: 'Keep', when: 'always', path: 'out', destination: 'd' },
  ],
  [
    'store_test_results: {path: out}',
    { type: 'store_test_results', name: 'Uploading test results', when: 'always', path: 'out' },
  ],
  [
    'setup_remote_docker',
    {
      type: 'setup_remote_docker',
      name: 'Setup a remote Docker engine',
      when: 'on_success',
      dockerLayerCaching: false,
    },
  ],
  [
    'setup_remote_docker: {version: 20.10.24, docker_layer_caching: true}',
    {
      type: 'setup_remote_docker',
      name: 'Setup a remote Docker engine',
      when: 'on_success',
      version: '20.10.24',
      dockerLayerCaching: true,
    },
  ],
  [
    'add_ssh_keys: {fingerprints: ["aa:bb"]}',
    { type: 'add_ssh_keys', name: 'Installing additional ssh keys', when: 'on_success', fingerprints: ['aa:bb'] },
  ],
]

for (const [written, step] of steps) {
  test(`${written} becomes a step`, () => {
    assert.deepEqual(bodyOf(planOf(withSteps(`- ${written}`))).steps, [step])
  })
}

const mistakes: readonly (readonly [written: string, ...messages: string[]])[] = [
  ['run: {name: x}', 'required key [command] not found'],
  ['run: {command: [a]}', '[command] expected type: String, found: Sequence'],
  [
    'run: {command: a, when: never}',
    '[when] Input not a valid enum value: never. Valid values: on_success, on_fail, always',
  ],
  ['run: {command: a, comand: b}', 'extraneous key [comand] is not permitted. Did you mean [command]?'],
  [
    'run: {command: a, no_output_timeout: soon}',
    '[no_output_timeout] string [soon] does not match pattern ^\\d+(\\.\\d+)?(s|m|h)$',
  ],
  ['run: {command: a, max_auto_reruns: 9}', '[max_auto_reruns] must be between 1 and 5, found: 9'],
  ['run: {command: a, auto_rerun_delay: 5s}', 'Cannot use [auto_rerun_delay] without [max_auto_reruns]'],
  [
    'run: {command: a, background: true, max_auto_reruns: 1}',
    'Cannot use [max_auto_reruns] in a step that runs in the background',
  ],
  ['run: {command: a, background: maybe}', '[background] expected type: Boolean, found: String'],
  ['run', '[run] expected type: Mapping, found: Null'],
  ['deploy: ship', '[deploy] This type of step does not support compressed syntax'],
  ['checkout: {paht: x}', 'extraneous key [paht] is not permitted. Did you mean [path]?'],
  ['checkout: {depth: 1}', 'Cannot use [depth] with a method other than shallow'],
  ['save_cache: {key: k}', 'required key [paths] not found'],
  ['restore_cache: {name: x}', 'required key [key] or [keys] not found'],
  ['store_artifacts: {destination: x}', 'required key [path] not found'],
  [
    'stor_artifacts: {path: x}',
    'Cannot find a definition for command named stor_artifacts. Did you mean [store_artifacts]?',
  ],
  ['{run: a, name: b}', 'A step must have exactly one key: maximum size: [1], found: [2] (run, name)'],
  ['42', '[steps] expected type: Mapping, found: Integer'],
]

for (const [written, ...messages] of mistakes) {
  test(`${written} is refused`, () => assert.deepEqual(messagesOf(withSteps(`- ${written}`)), messages))
}
