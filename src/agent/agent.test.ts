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

test('a step can halt its job: it goes on to its own end, nothing follows, and the job has succeeded', async () => {
  await using it = await smallWorld()
  const { outcome, statuses, logs } = await it.play(
    job([run('circleci-agent step halt; echo still here'), run('echo no'), run('echo no', { when: 'always' })]),
  )
  assert.deepEqual(
    { outcome, statuses, logs },
    {
      outcome: 'success',
      statuses: ['success', 'skipped', 'skipped'],
      logs: ['still here\n', '', ''],
    },
  )
})

test('a job without output costs a claim, the word that it begins, and its end', async () => {
  await using it = await smallWorld()
  await it.play(job([run('true')]))
  await it.server.until(() => it.server.requests.filter((request) => request === '/claim').length >= 2)
  assert.deepEqual(it.server.requests.slice(0, 5).toSorted(), ['/claim', '/claim', '/finish', '/register', '/steps'])
})

test('a job for a machine that this agent does not have is given back with the reason', async () => {
  await using it = await smallWorld()
  const { outcome, reason } = await it.play(job([run('true')], { executor: { type: 'macos', xcode: '16' } }))
  assert.deepEqual(
    [outcome, reason],
    ['infrastructure_fail', 'Cannot prepare the job: this agent does not run on macOS'],
  )
})

test('an agent that is told to drain ends its jobs and claims no more', async () => {
  await using it = await smallWorld()
  const spec = job([run('echo begun; sleep 0.3; echo ended')])
  it.server.enqueue(spec)
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0 || undefined)
  assert.deepEqual(await it.drained(), [])
  assert.equal(it.server.logOf(spec.id, 0).toString(), 'begun\nended\n')
  assert.equal(it.server.jobs.get(spec.id)?.finish?.outcome, 'success')
})

test('a job that removes everything around it still ends', async () => {
  await using it = await smallWorld()
  const { outcome } = await it.play(job([run('rm -rf ~ ~/../step-*; cd /; exit 0'), run('true')]))
  assert.equal(outcome, 'success')
})

test('secrets that cannot be masked are named in the log of the first step', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(
    job([run('echo $FLAG $LONG'), run('true')], {
      environment: { FLAG: 'true', SHORT: 'abc', LONG: 'long-enough' },
      secrets: ['true', 'abc', 'long-enough'],
    }),
  )
  assert.deepEqual(logs, [
    'Warning: not masked in logs, as the value is shorter than 4 characters or a common word: FLAG, SHORT\ntrue ****\n',
    '',
  ])
})

test('an agent whose disk is full takes no jobs and says why', async () => {
  await using it = await smallWorld({}, { leastFreeBytes: Number.MAX_SAFE_INTEGER })
  it.server.enqueue(job([run('true')]))
  const words = await it.server.until(() => it.server.obstacles[0], 60_000, 'an obstacle')
  assert.match(words, /^its disk is full: less than \d+ MiB are left$/)
  assert.equal(it.server.jobs.size, 0)
  assert.ok(it.lines.some((line) => line.includes('its disk is full')))
})
