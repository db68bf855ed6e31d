import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { JobBody, RunStep, Step } from './plan.ts'
import { hasSsh, withSsh } from './with-ssh.ts'

const run = (type: RunStep['type']): Step => ({
  type,
  name: type,
  when: 'on_success',
  command: 'make',
  environment: [],
  background: false,
  noOutputTimeoutMs: 1,
})

const body = (...steps: Step[]): JobBody => ({
  executor: { type: 'machine', dockerLayerCaching: false },
  parallelism: 1,
  environment: [],
  workingDirectory: '~/project',
  steps,
})

it('a body with SSH tells of it first, waits last, and deploys nothing', () => {
  const open = withSsh(
    body({ type: 'spin_up', name: 'Spin up environment', when: 'always' }, run('run'), run('deploy')),
  )
  assert.deepEqual(
    open.steps.map(({ type, name }) => [type, name]),
    [
      ['spin_up', 'Spin up environment'],
      ['enable_ssh', 'Enable SSH'],
      ['run', 'run'],
      ['run', 'deploy'],
      ['wait_for_ssh', 'Wait for SSH'],
    ],
  )
  assert.match(JSON.stringify(open.steps[3]), /Avoid deploying/)
})

it('a body that has SSH keeps it, once', () => {
  const open = withSsh(body(run('run')))
  assert.ok(hasSsh(open) && !hasSsh(body(run('run'))))
  assert.equal(withSsh(open), open)
})
