import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { agentProcess } from './testing/agent-process.ts'
import { fakeServer } from './testing/fake-server.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld, tempFolder } from './testing/world.ts'

test('secrets do not leave the agent, cut, encoded or repeated, and neither do the tokens', async () => {
  await using it = await smallWorld()
  const secret = 'correct horse/battery'
  const commands = [
    'echo "$SECRET"; printf "correct ho"; sleep 0.12; echo "rse/battery"',
    'printf "user:%s" "$SECRET" | base64 -w0',
    'echo "$SECRET$SECRET" "$TOKEN"',
  ]
  const spec = job(
    commands.map((command) => run(command)),
    { secrets: [secret], log: { range_bytes: 7, interval_ms: 20, windows: false } },
  )
  const { logs } = await it.play({
    ...spec,
    environment: { SECRET: secret, TOKEN: `${spec.token} the-agents-own-token` },
  })
  assert.equal(logs[0], '****\n****\n')
  assert.match(logs[1]!, /^dXNlcj\w?\*\*\*\*.{0,2}=*$/)
  assert.equal(logs[2], '******** **** ****\n')
})

const rssOf = (pid: number, what: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024
const cpuOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

test('50 MB of output arrive whole, in flat memory', { skip: process.platform !== 'linux' }, async (t) => {
  await using server = await fakeServer()
  using folder = tempFolder()
  await using agent = agentProcess(server.url, folder.path)
  const pid = agent.start()
  const warmUp = job([run('seq 1000000')], {
    secrets: ['some-secret-value'],
    log: { range_bytes: 1 << 20, interval_ms: 50, windows: false },
  })
  server.enqueue(warmUp)
  await server.finished(warmUp.id)
  const [before, cpu] = [rssOf(pid, 'VmRSS'), cpuOf(pid)]

  const spec = job([run('seq 6650000')], {
    secrets: ['some-secret-value'],
    log: { range_bytes: 1 << 20, interval_ms: 50, windows: false },
  })
  server.enqueue(spec)
  await server.finished(spec.id, 180_000)
  const grown = rssOf(pid, 'VmHWM') - before
  const log = server.logOf(spec.id, 0)
  t.diagnostic(
    `${(log.length / 1e6).toFixed(1)} MB; resident ${before.toFixed(0)} MiB, at most ${grown.toFixed(0)} more; ${cpuOf(pid) - cpu} ms of processor`,
  )

  const expected = createHash('sha256')
  for (let from = 1; from <= 6_650_000; from += 50_000) {
    let block = ''
    for (let i = from; i < from + 50_000; i++) block += `${i}\n`
    expected.update(block)
  }
  assert.equal(createHash('sha256').update(log).digest('hex'), expected.digest('hex'))
  assert.ok(grown < 32, `resident memory grew by ${grown} MiB`)
})
