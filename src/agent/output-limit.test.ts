import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { fullDisk } from './full-disk.ts'
import { cutMark } from './output-limit.ts'
import { agentProcess } from './testing/agent-process.ts'
import { fakeServer } from './testing/fake-server.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld, tempFolder } from './testing/world.ts'

const limited = (most_bytes: number, windows = false) => ({
  log: { range_bytes: 65_536, interval_ms: 20, windows, most_bytes },
})

test('a step that prints too much has its log cut with a mark, and goes on to its own end', async () => {
  await using it = await smallWorld()
  const { outcome, logs } = await it.play(
    job(
      [run('seq 1000 | tr -d "\\n"; exit 0'), run('printf 0123456789'), run('printf 01234567890; exit 3')],
      limited(10),
    ),
  )
  assert.equal(outcome, 'failed')
  assert.deepEqual(logs, [`1234567891${cutMark(10)}`, '0123456789', `0123456789${cutMark(10)}`])
})

test('a secret that the cut goes through is not shown in part', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(
    job([run('echo 123 $SECRET')], { ...limited(10), environment: { SECRET: 'hunter22' }, secrets: ['hunter22'] }),
  )
  assert.deepEqual(logs, [`123 ${cutMark(10)}`])
})

async function shrinks(file: string): Promise<void> {
  for (let before = 0, end = Date.now() + 180_000; Date.now() < end; await pause(10)) {
    const { size } = statSync(file)
    if (size < before) return
    before = size
  }
  assert.fail('The file only grows')
}

for (const windows of [false, true]) {
  const way = windows ? 'shown' : 'sent'
  test(`a step that prints without end fills neither disk nor server where logs are ${way}`, async () => {
    let folder = ''
    await using it = await smallWorld({ folder: () => folder })
    folder = it.folder
    const most = 1_000_000
    const spec = job([run('yes 0123456789 & echo begun >~/begun; wait')], limited(most, windows))
    it.server.enqueue(spec)
    const mark = cutMark(most)
    await it.server.until(() => it.server.logOf(spec.id, 0).includes(mark))
    const jobs = join(it.folder, 'jobs')
    const place = readdirSync(jobs).find((name) => existsSync(join(jobs, name, 'home', 'begun')))!
    const out = join(jobs, place, 'step-0.out')
    // Cut back again and again: it shrinks while the step only ever appends.
    await shrinks(out)
    it.server.change(spec.id, { canceled: true })
    assert.equal((await it.server.finished(spec.id)).outcome, 'canceled')
    const log = it.server.logOf(spec.id, 0)
    // A few bytes before the cut may look like the beginning of a secret.
    assert.match(
      log
        .subarray(most - 20)
        .toString()
        .replace(mark, '#'),
      /^[0-9\n]{12,20}#$/,
    )
  })
}

test('an agent that is killed and started again cuts the same log at the same place', async () => {
  await using server = await fakeServer()
  using folder = tempFolder()
  const spec = job(
    [run('head -c 3000000 /dev/zero | tr "\\0" x; while [ ! -e ~/go ]; do sleep 0.05; done; exit 0')],
    limited(100_000),
  )
  server.enqueue(spec)
  {
    await using agent = agentProcess(server.url, folder.path)
    agent.start()
    await server.until(() => server.logOf(spec.id, 0).includes(cutMark(100_000)))
    await agent.kill()
  }
  const jobs = join(folder.path, 'jobs')
  for (const name of readdirSync(jobs))
    if (existsSync(join(jobs, name, 'step-0.out'))) execFileSync('touch', [join(jobs, name, 'home', 'go')])
  await using again = agentProcess(server.url, folder.path)
  again.start()
  assert.equal((await server.finished(spec.id)).outcome, 'success')
  assert.equal(server.logOf(spec.id, 0).length, 100_000 + cutMark(100_000).length)
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0

test('a job that finds the disk full ends with a reason that says so', { skip: !canMount }, async () => {
  using folder = tempFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder.path])
  } catch {
    // In a container even root may not.
    return
  }
  try {
    await using it = await smallWorld({}, { folder: folder.path, leastFreeBytes: 1024 ** 2 })
    const { outcome, reason } = await it.play(
      job([run('yes | head -c 20000000'), run('echo more', { when: 'always' })]),
    )
    assert.match(outcome, /^(failed|infrastructure_fail)$/)
    assert.ok(reason?.includes(fullDisk), String(reason))
    // Nothing of it is left, and the agent works on.
    assert.equal((await it.play(job([run('true')]))).outcome, 'success')
  } finally {
    // Whoever was killed may still be on the way out of it.
    execFileSync('umount', ['--lazy', folder.path])
  }
})
