import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, run } from './testing/specs.ts'
import { smallWorld } from './testing/world.ts'

const secret = 'correct horse/battery'
// Clean text, a secret in the middle, a secret cut by the border of a range, clean text again.
const command = `seq 40000; echo "$SECRET"; seq 40000; printf '%65520s' x; echo "$SECRET"; seq 1000`
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('')
const expected = `${numbers(40_000)}****\n${numbers(40_000)}${'x'.padStart(65_520)}****\n${numbers(1000)}`

const spec = () =>
  job([run(command)], {
    secrets: [secret],
    environment: { SECRET: secret },
    log: { range_bytes: 65_536, interval_ms: 5, windows: true },
  })

test('a server that sees the files is shown what is clean and sent what was masked, and has the same log', async () => {
  let folder = ''
  await using it = await smallWorld({ folder: () => folder })
  folder = it.folder
  const { logs, outcome } = await it.play(spec())
  assert.equal(outcome, 'success')
  assert.ok(logs[0] === expected, 'the log is not what the command printed, masked')
  assert.ok(it.server.requests.some((name) => name.endsWith('/window')))
  assert.ok(it.server.requests.some((name) => name.endsWith('/log')))
})

test('a server that cannot see the files after all is sent everything', async () => {
  await using it = await smallWorld()
  const { logs } = await it.play(spec())
  assert.ok(logs[0] === expected, 'the log is not what the command printed, masked')
  assert.equal(it.server.requests.filter((name) => name.endsWith('/window')).length, 1)
})

test('answers that get lost change nothing', async () => {
  let folder = ''
  await using it = await smallWorld({ folder: () => folder })
  folder = it.folder
  let count = 0
  it.server.upset((name) => (/window|log/.test(name) && count++ % 3 === 1 ? 'drop' : undefined))
  const { logs } = await it.play(spec())
  assert.ok(logs[0] === expected, 'the log is not what the command printed, masked')
})
