import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'
import type { StepSpec } from '#contract/agent.ts'

const spinUp: StepSpec = { type: 'spin_up', name: 'Spin up environment', when: 'always' }
const spec = () =>
  job([spinUp, run('echo here')], { executor: { type: 'docker', images: [{ image: 'a/b:1', environment: {} }] } })
const nowhere = { docker: { address: 'unix:///nonexistent/docker.sock' } }

test('without an engine a docker job runs on the machine of the agent, and says so, where that is allowed', async () => {
  await using it = await smallWorld({}, nowhere)
  const { outcome, logs } = await it.play(spec())
  assert.equal(outcome, 'success')
  assert.match(logs[0]!, /no docker engine: the steps run on its own machine\.\nNot used: a\/b:1\./)
  assert.equal(logs[1], 'here\n')
  assert.match(
    it.lines[0] ?? '',
    /Cannot reach the docker engine .*: docker jobs run on this machine, without their images/,
  )
})

test('where it is not allowed, the agent does not offer to, and gives back what it gets all the same', async () => {
  await using it = await smallWorld({}, { ...nowhere, withoutEngine: 'refuse' })
  const { outcome, reason } = await it.play(spec())
  assert.equal(outcome, 'infrastructure_fail')
  assert.match(reason ?? '', /not allowed to run docker jobs on its own machine/)
  assert.match(it.lines[0] ?? '', /docker jobs are left to other agents/)
})
