import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'
import type { StepSpec } from '#contract/agent.ts'
import { lane } from '#test/lanes.ts'
import { bare, busybox, startEngine, type TestEngine } from './engine.ts'

const spinUp: StepSpec = { type: 'spin_up', name: 'Spin up environment', when: 'always' }
const settings = { timings: { filename: { 'a.js': 9, 'b.js': 1, 'c.js': 1 } } }

suite('the in-job command in a container', { skip: lane('docker').reason }, () => {
  let engine: TestEngine
  before(async () => {
    engine = await startEngine()
  })
  after(() => engine[Symbol.asyncDispose]())

  for (const image of [busybox, bare]) {
    test(`works in ${image}, which has nothing but a shell to run it`, async () => {
      await using it = await smallWorld(settings, { docker: { address: engine.address } })
      const commands = [
        ': >a.js; : >b.js; : >c.js; circleci tests glob "*.js"',
        'service tests glob "*.js" | circleci tests split --split-by=timings',
        'NAME=you service env subst "Hello $NAME, \\$NAME"',
        `circleci run oidc get --claims '{"aud": "them"}'`,
        'circleci no such',
        'circleci-agent step halt; echo still here',
        'echo never',
      ]
      const { outcome, codes, logs } = await it.play(
        job([spinUp, ...commands.map((command) => run(command, { when: 'always' }))], {
          executor: { type: 'docker', images: [{ image, environment: {} }] },
          environment: { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '2' },
        }),
        180_000,
      )
      assert.deepEqual(logs.slice(1, 5), ['a.js\nb.js\nc.js\n', 'b.js\nc.js\n', 'Hello , you', '****\n'])
      assert.match(logs[5]!, /^Error: unknown command "no such"\nUsage:/)
      assert.deepEqual(logs.slice(6), ['still here\n', ''])
      assert.deepEqual([outcome, ...codes.slice(1)], ['failed', 0, 0, 0, 0, 1, 0, null])
    })
  }
})
