import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'

const store = { type: 'store_artifacts', name: 'store', when: 'always', path: 'out' } as const

test('secrets are masked in the names of artifacts', async () => {
  await using it = await smallWorld()
  const spec = job([run('mkdir out; echo a >out/a-$SECRET.txt; echo b >out/b.txt'), store], {
    environment: { SECRET: 's3cr3t-value' },
    secrets: ['s3cr3t-value'],
  })
  const { outcome, logs } = await it.play(spec)
  assert.equal(outcome, 'success')
  assert.deepEqual(it.server.jobs.get(spec.id)?.artifacts.toSorted(), ['out/a-****.txt', 'out/b.txt'])
  assert.match(logs[1]!, /Uploaded out\/a-\*\*\*\*\.txt \(2 B\)/)
})

test('small files go together and large ones alone, each once, also when the server fails in between', async () => {
  await using it = await smallWorld()
  const script = 'mkdir out; for i in $(seq 2500); do echo $i >out/$i; done; head -c 100000 /dev/zero >out/large'
  const spec = job([run(script), store])
  let failures = 0
  it.server.upset((request) => (request.startsWith('/artifact') && failures++ % 2 === 0 ? 'unavailable' : undefined))
  const { outcome, logs } = await it.play(spec, 180_000)
  assert.equal(outcome, 'success')
  const names = it.server.jobs.get(spec.id)?.artifacts ?? []
  assert.equal(names.length, 2501)
  assert.equal(new Set(names).size, 2501)
  assert.equal(it.server.requests.filter((request) => request.startsWith('/artifact')).length, 2 * 4)
  assert.equal(logs[1]?.match(/ {2}Uploaded /g)?.length, 2501)
})

test('a file with several names is an artifact under each of them', async () => {
  await using it = await smallWorld()
  const spec = job([run('mkdir out; echo a >out/a; ln out/a out/b'), store])
  assert.equal((await it.play(spec)).outcome, 'success')
  assert.deepEqual(it.server.jobs.get(spec.id)?.artifacts, ['out/a', 'out/b'])
})
