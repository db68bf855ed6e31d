import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, run } from './testing/specs.ts'
import { smallWorld } from './testing/world.ts'

test('runs the steps of a job in order, sends their logs and reports the end', async () => {
  await using it = await smallWorld()
  const { outcome, statuses, codes, logs } = await it.play(
    job([run('echo one'), run('echo two >&2; printf three'), run('true')]),
  )
  assert.deepEqual(
    { outcome, statuses, codes, logs },
    {
      outcome: 'success',
      statuses: ['success', 'success', 'success'],
      codes: [0, 0, 0],
      logs: ['one\n', 'two\nthree', ''],
    },
  )
  assert.deepEqual(await it.drained(), [])
})

test('a failed step skips what needs success and runs what needs failure', async () => {
  await using it = await smallWorld()
  const played = await it.play(
    job([run('exit 3'), run('echo no'), run('echo sad', { when: 'on_fail' }), run('echo ever', { when: 'always' })]),
  )
  assert.deepEqual(played, {
    outcome: 'failed',
    reason: null,
    statuses: ['failed', 'skipped', 'success', 'success'],
    codes: [3, null, 0, 0],
    logs: ['\nExited with code exit status 3\n', '', 'sad\n', 'ever\n'],
  })
})

test('a job without output costs one claim and one request more', async () => {
  await using it = await smallWorld()
  await it.play(job([run('true')]))
  await it.server.until(() => it.server.requests.filter((request) => request === '/claim').length >= 2)
  assert.deepEqual(it.server.requests.slice(0, 4).toSorted(), ['/claim', '/claim', '/finish', '/register'])
})
