import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { job, run } from './testing/specs.ts'
import { smallWorld } from './testing/world.ts'

const text = Array.from({ length: 3000 }, (_, i) => `${i + 1}\n`).join('')

test('answers that get lost and requests that arrive twice change nothing', async () => {
  await using it = await smallWorld()
  let times = 0
  it.server.upset((request) => (request !== '/claim' && times++ % 2 === 0 ? 'drop' : undefined))
  const { outcome, logs } = await it.play(
    job([run('seq 3000'), run('echo end')], { log: { range_bytes: 1000, interval_ms: 20, windows: false } }),
  )
  assert.deepEqual({ outcome, logs }, { outcome: 'success', logs: [text, 'end\n'] })
})

test('a server that is away for a while gets everything afterwards', async () => {
  await using it = await smallWorld()
  let away = 0
  it.server.upset((request) =>
    /log$|finish$|steps$/.test(request) && away++ < 8 ? (away % 2 ? 'unavailable' : 'close') : undefined,
  )
  const { outcome, logs } = await it.play(job([run('seq 3000; sleep 0.3; exit 1')]))
  assert.deepEqual({ outcome, logs }, { outcome: 'failed', logs: [`${text}\nExited with code exit status 1\n`] })
})

test('a server that lost bytes of a log is given them again', async () => {
  await using it = await smallWorld()
  const spec = job([run('seq 3000; while [ ! -e ~/go ]; do sleep 0.02; done; echo more')], {
    log: { range_bytes: 1000, interval_ms: 20, windows: false },
  })
  it.server.enqueue(spec)
  await it.server.until(() => it.server.logOf(spec.id, 0).length === text.length)
  const log = it.server.jobs.get(spec.id)?.logs.get(0)
  log?.splice(3)
  for (const place of readdirSync(`${it.folder}/jobs`)) writeFileSync(`${it.folder}/jobs/${place}/home/go`, '')
  assert.equal((await it.server.finished(spec.id)).outcome, 'success')
  assert.equal(it.server.logOf(spec.id, 0).toString(), `${text}more\n`)
})

test('an end that is refused for a missing part of a log is sent again with that part', async () => {
  await using it = await smallWorld()
  const spec = job([run('seq 3000')])
  it.server.upset((request) => {
    if (request === '/finish' && it.server.requests.filter((one) => one === '/finish').length === 1)
      it.server.jobs.get(spec.id)?.logs.clear()
    return undefined
  })
  const { outcome, logs } = await it.play(spec)
  assert.deepEqual({ outcome, logs }, { outcome: 'success', logs: [text] })
})

test('steps that take their time are reported while they run', async () => {
  await using it = await smallWorld()
  const spec = job([run('true'), run('while [ ! -e ~/go ]; do sleep 0.02; done')])
  it.server.enqueue(spec)
  await it.server.until(() => it.server.jobs.get(spec.id)?.steps.get(1)?.status === 'running' || undefined)
  assert.deepEqual(
    [...it.server.jobs.get(spec.id)!.steps.values()].map((step) => step.status),
    ['success', 'running'],
  )
  it.server.change(spec.id, { canceled: true })
  assert.equal((await it.server.finished(spec.id)).outcome, 'canceled')
})

test('more jobs than slots are all run, no more than fit at a time', async () => {
  await using it = await smallWorld({}, { slots: 2 })
  const specs = Array.from({ length: 12 }, () => job([run('echo $$')]))
  for (const spec of specs) it.server.enqueue(spec)
  const ends = await Promise.all(specs.map((spec) => it.server.finished(spec.id)))
  assert.deepEqual(
    ends.map((end) => end.outcome),
    specs.map(() => 'success'),
  )
})
