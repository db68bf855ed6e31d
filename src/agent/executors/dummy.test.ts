import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'
import type { Command } from './executor.ts'

const script = ({ script: text }: Command) =>
  text === 'fail'
    ? { output: 'no\n', code: 2 }
    : text === 'long'
      ? { output: 'long\n', ms: 100_000 }
      : { output: `${text}\n` }

test('a scenario goes as it is scripted, and nothing is run', async () => {
  await using it = await smallWorld({}, { dummy: script })
  const { outcome, codes, logs } = await it.play(
    job([run('rm -rf /'), run('fail'), run('after'), run('end', { when: 'always' })]),
  )
  assert.deepEqual([outcome, ...codes], ['failed', 0, 2, null, 0])
  assert.deepEqual(logs, ['rm -rf /\n', 'no\n', '', 'end\n'])
  assert.deepEqual(await it.drained(), [])
})

test('a scenario can be canceled', async () => {
  await using it = await smallWorld({}, { dummy: script })
  const spec = job([run('long')])
  it.server.enqueue(spec)
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  it.server.change(spec.id, { canceled: true })
  assert.equal((await it.server.finished(spec.id)).outcome, 'canceled')
})
