import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOf } from './executors/processes.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld } from './testing/world.ts'

const pidsIn = (text: string) => [...text.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]))

test('a cancel ends a step and everything it started, long before it would end by itself', async () => {
  await using it = await smallWorld()
  const spec = job([
    run('(sleep 100 & echo pid $!; wait) & echo pid $!; sleep 100'),
    run('echo never', { when: 'always' }),
  ])
  it.server.enqueue(spec)
  await it.server.until(() => pidsIn(it.server.logOf(spec.id, 0).toString()).length === 2)
  it.server.change(spec.id, { canceled: true })
  const { outcome, steps } = await it.server.finished(spec.id)
  assert.deepEqual([outcome, ...steps.map((step) => step.status)], ['canceled', 'canceled', 'skipped'])
  assert.deepEqual(pidsIn(it.server.logOf(spec.id, 0).toString()).map(startOf), [undefined, undefined])
})

test('what does not end when asked is made to', async () => {
  await using it = await smallWorld({}, { graceMs: 3000 })
  const spec = job([run(`trap 'echo no' TERM; echo ready; while :; do sleep 100; done`)])
  it.server.enqueue(spec)
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  it.server.change(spec.id, { canceled: true })
  assert.equal((await it.server.finished(spec.id)).outcome, 'canceled')
  assert.match(it.server.logOf(spec.id, 0).toString(), /^ready\n(Terminated\n)?no\n|^ready\n.*no\n/s)
})

test('a step that is silent for too long is stopped, and nothing follows it', async () => {
  await using it = await smallWorld()
  const played = await it.play(
    job([run('echo hello; sleep 100', { no_output_timeout_ms: 2400 }), run('echo never', { when: 'always' })]),
  )
  assert.equal(played.outcome, 'timedout')
  assert.deepEqual(played.statuses, ['timedout', 'skipped'])
  assert.match(played.logs[0]!, /^hello\n.*\nToo long with no output \(exceeded 2.4s\): context deadline exceeded\n$/s)
})

test('a step that is run again has all of its time to say something', async () => {
  await using it = await smallWorld()
  const again = { max_auto_reruns: 1, auto_rerun_delay_ms: 3200, no_output_timeout_ms: 3000 }
  const { outcome } = await it.play(job([run('[ -e ~/once ] && sleep 0.1 || { touch ~/once; exit 1; }', again)]))
  assert.equal(outcome, 'success')
})

test('output now and then keeps a step from being silent', async () => {
  await using it = await smallWorld()
  const { outcome } = await it.play(
    job([run('for i in 1 2 3 4; do sleep 0.8; echo $i; done', { no_output_timeout_ms: 3000 })]),
  )
  assert.equal(outcome, 'success')
})

test('a job that runs longer than its limit is stopped', async () => {
  await using it = await smallWorld()
  const { outcome, reason, statuses } = await it.play(job([run('sleep 100')], { time_limit_ms: 300 }))
  assert.deepEqual(
    { outcome, reason, statuses },
    {
      outcome: 'timedout',
      reason: 'The job was stopped as it ran longer than 0.3s',
      statuses: ['timedout'],
    },
  )
})

test('a background step does not hold up the others and ends with the job', async () => {
  await using it = await smallWorld()
  const played = await it.play(
    job([
      run('echo pid $$; exec sleep 100', { background: true }),
      run('sleep 0.2; echo done'),
      run('exit 4', { background: true }),
      run('sleep 0.2'),
    ]),
  )
  assert.equal(played.outcome, 'success')
  assert.deepEqual(played.statuses, ['canceled', 'success', 'failed', 'success'])
  await it.server.until(() => (startOf(pidsIn(played.logs[0]!)[0]!) === undefined ? true : undefined))
})

test('a step is run again as often as its reruns allow', async () => {
  await using it = await smallWorld()
  const again = { max_auto_reruns: 2, auto_rerun_delay_ms: 10 }
  const played = await it.play(
    job([run('echo x >>n; [ $(wc -l <n) = 3 ]', again), run('echo y; exit 5', { max_auto_reruns: 1 })]),
  )
  assert.deepEqual(played.codes, [0, 5])
  assert.equal(played.logs[1], 'y\n\nExited with code exit status 5\n'.repeat(2))
})

test('a job whose lease cannot be renewed is stopped by the agent itself', async () => {
  await using it = await smallWorld({ leaseMs: 4000 })
  const spec = job([run('echo pid $$; exec sleep 100')])
  it.server.enqueue(spec)
  const [pid] = await it.server.until(() => {
    const found = pidsIn(it.server.logOf(spec.id, 0).toString())
    return found.length === 1 ? found : undefined
  })
  it.server.upset(() => 'close')
  await it.server.until(() => (startOf(pid!) === undefined ? true : undefined))
  it.server.upset(() => undefined)
  const { outcome, reason } = await it.server.finished(spec.id)
  assert.deepEqual(
    { outcome, reason },
    {
      outcome: 'infrastructure_fail',
      reason: 'The agent stopped the job as it could not renew its lease',
    },
  )
})

test('a job that belongs to somebody else is stopped and not reported', async () => {
  await using it = await smallWorld()
  const spec = job([run('echo pid $$; exec sleep 100')])
  it.server.enqueue(spec)
  const [pid] = await it.server.until(() => {
    const found = pidsIn(it.server.logOf(spec.id, 0).toString())
    return found.length === 1 ? found : undefined
  })
  it.server.change(spec.id, { lost: true })
  assert.deepEqual(await it.drained(), [])
  assert.equal(startOf(pid!), undefined)
  assert.equal(it.server.requests.includes('/finish'), false)
})

test('an agent that was replaced by another process stops its jobs and ends', async () => {
  await using it = await smallWorld()
  it.server.enqueue(job([run('sleep 100')]))
  await it.server.until(() => it.server.jobs.size === 1)
  it.server.refuse(409)
  await it.ended
  assert.match(it.lines.join('\n'), /The agent ends: Cannot POST .* as the server answered 409: refused/)
})
