import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { outFile } from './job-folder.ts'
import { logTimes, watchOutput } from './log-times.ts'
import { job, run } from './testing/specs.ts'
import { smallWorld, tempFolder } from './testing/world.ts'

test('bytes have the time at which they were first seen, also when they are asked for again', () => {
  using folder = tempFolder()
  writeFileSync(outFile(folder.path, 0), 'one\ntwo\n')
  using times = watchOutput(folder.path, 0)
  const [one] = times.between(0, 4)
  const [two] = times.between(4, 8)
  assert.deepEqual(times.between(0, 8), [
    { byte: 0, at: one?.at },
    { byte: 4, at: two?.at },
  ])
  assert.deepEqual(times.between(5, 6), [{ byte: 5, at: two?.at }])
})

test('a request tells what holds at its first byte, and what changes within it', () => {
  const times = logTimes()
  const now = performance.now()
  times.add(0, [{ byte: 0, at: now - 500_000 }], 100)
  times.add(
    100,
    [
      { byte: 0, at: now - 300_000 },
      { byte: 40, at: now - 299_950 },
      { byte: 60, at: now - 100_000 },
    ],
    50,
  )
  const told = (start: number, end: number) =>
    times
      .tell(start, end)
      .split(',')
      .map((pair) => pair.split(':'))
      .map(([byte, age]) => [Number(byte), Math.floor(Number(age) / 100_000)])
  assert.deepEqual(told(0, 100), [[0, 5]])
  assert.deepEqual(told(50, 150), [
    [50, 5],
    [100, 3],
  ])
  assert.deepEqual(told(150, 160), [[150, 1]], 'marks lie within the bytes that were made of what was seen')
})

for (const windows of [true, false])
  test(`what is printed while the server is away keeps its times, ${windows ? 'shown' : 'sent'}`, async () => {
    let folder = ''
    await using it = await smallWorld({ folder: () => folder })
    folder = it.folder
    const flag = join(folder, 'go-on')
    const spec = job([run(`echo one; until [ -e '${flag}' ]; do sleep 0.02; done; echo two`)], {
      log: { range_bytes: 1000, interval_ms: 10, windows },
    })
    let failed = 0
    it.server.upset((name) => {
      if (!/window|log/.test(name) || failed > 8) return undefined
      if (++failed === 5) writeFileSync(flag, '')
      return 'close'
    })
    const { logs } = await it.play(spec)
    assert.equal(logs[0], 'one\ntwo\n')
    const ages = (it.server.jobs.get(spec.id)?.times ?? [])
      .flatMap((times) => times.split(','))
      .map((pair) => pair.split(':').map(Number))
    assert.deepEqual([...new Set(ages.map(([byte]) => byte))], [0, 4])
  })
