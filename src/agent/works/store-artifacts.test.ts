import assert from 'node:assert/strict'
import { test } from 'node:test'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'

test('secrets are masked in the names of artifacts', async () => {
  await using it = await smallWorld()
  const store = { type: 'store_artifacts', name: 'store', when: 'always', path: 'out' } as const
  const { outcome, logs } = await it.play(
    job([run('mkdir out; echo a >out/a-$SECRET.txt; echo b >out/b.txt'), store], {
      environment: { SECRET: 's3cr3t-value' },
      secrets: ['s3cr3t-value'],
    }),
  )
  assert.equal(outcome, 'success')
  const named = it.server.requests
    .filter((request) => request.includes('/artifact'))
    .map((request) => new URL(request, 'http://x').searchParams.get('path'))
  assert.deepEqual(named.toSorted(), ['out/a-****.txt', 'out/b.txt'])
  assert.match(logs[1]!, /Uploaded out\/a-\*\*\*\*\.txt \(2 B\)/)
})
