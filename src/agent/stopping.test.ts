import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOf } from './executors/processes.ts'
import { pause } from '#kit/backoff.ts'
import { inTime } from './testing/in-time.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld } from './testing/world.ts'

/** Looks now and then, as a process cannot tell by itself that it is gone. */
async function gone(pid: number): Promise<void> {
  for (const end = Date.now() + 300_000; startOf(pid) !== undefined; await pause(20))
    assert.ok(Date.now() < end, 'The process is still there')
}

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
  const log = await inTime(1000, async (graceMs) => {
    await using it = await smallWorld({}, { graceMs })
    const spec = job([run(`trap 'echo no' TERM; echo ready; while :; do sleep 100 || :; done`)])
    it.server.enqueue(spec)
    await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
    it.server.change(spec.id, { canceled: true })
    assert.equal((await it.server.finished(spec.id, 180_000 + 2 * graceMs)).outcome, 'canceled')
    const said = it.server.logOf(spec.id, 0).toString()
    // On a busy machine it may be ended before it could say that it was asked.
    return said.includes('no\n') ? said : undefined
  })
  assert.match(log, /^ready\n(Terminated\n)?no\n/)
})

test('a step that is run again has all of its time to say something', async () => {
  await using it = await smallWorld()
  await inTime(2000, async (ms) => {
    const again = { max_auto_reruns: 1, auto_rerun_delay_ms: ms + 500, no_output_timeout_ms: ms }
    const command = '[ -e ~/once ] && echo again || { echo once; touch ~/once; exit 1; }'
    const { outcome, logs } = await it.play(job([run(command, again)]), 60_000 + 4 * ms)
    // A run that was not begun in that time proves nothing.
    return outcome === 'success' ? (assert.match(logs[0]!, /^once\n[^]*again\n$/) ?? true) : undefined
  })
})

test('a job that runs longer than its limit is stopped, and says which', async () => {
  await using it = await smallWorld()
  const { outcome, reason } = await it.play(job([run('sleep 100')], { time_limit_ms: 300 }))
  assert.deepEqual([outcome, reason], ['timedout', 'The job was stopped as it ran longer than 0.3s'])
})

test('a background step does not hold up the others and ends with the job', async () => {
  await using it = await smallWorld()
  const played = await it.play(
    job([
      run('echo pid $$ >~/pid; exec sleep 100', { background: true }),
      run('until [ -s ~/pid ]; do sleep 0.02; done; cat ~/pid'),
    ]),
  )
  assert.deepEqual([played.outcome, ...played.statuses], ['success', 'canceled', 'success'])
  await gone(pidsIn(played.logs[1]!)[0]!)
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
  const ended = await inTime(4000, async (leaseMs) => {
    await using it = await smallWorld({ leaseMs })
    const spec = job([run('echo pid $$; exec sleep 1000')])
    it.server.enqueue(spec)
    const pid = await it.server.until(
      () => pidsIn(it.server.logOf(spec.id, 0).toString())[0] ?? it.server.jobs.get(spec.id)?.finish?.outcome,
    )
    if (typeof pid === 'string') return undefined
    it.server.upset(() => 'close')
    await gone(pid)
    it.server.upset(() => undefined)
    const { outcome, reason } = await it.server.finished(spec.id)
    return { outcome, reason }
  })
  assert.deepEqual(ended, {
    outcome: 'infrastructure_fail',
    reason: 'The agent stopped the job as it could not renew its lease',
  })
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
