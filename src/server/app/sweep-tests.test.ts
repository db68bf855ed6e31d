import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claim, end, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { storeTests } from './store-tests.ts'
import { sweepTests } from './sweep-tests.ts'

const day = 24 * 60 * 60 * 1000

const tests = Array.from({ length: 600 }, (_, i) => ({
  classname: '',
  name: `test ${i}`,
  file: '',
  source: 'unknown',
  result: i === 0 ? 'failure' : 'success',
  message: '',
  run_time: 0,
  output: 'printed',
}))

/** Plays a job with 1200 tests. */
async function tested(it: SmallWorld): Promise<string> {
  await givenWorkflow(it, 'build')
  const [held] = await claim(it, await givenAgent(it))
  assert.ok(held)
  for (const batch of [0, 1]) await storeTests(it.world, held.lease, 3, { batch, tests, bytes: 1, problems: [] })
  await end(it, held)
  return held.job.id
}

async function left({ world: { db } }: SmallWorld) {
  const of = async (table: 'test_reports' | 'test_results' | 'test_outputs') =>
    (await db.selectFrom(table).select('job_id').execute()).map(({ job_id }) => job_id)
  const [results, outputs] = [new Set(await of('test_results')), new Set(await of('test_outputs'))]
  assert.deepEqual(outputs, results)
  return { reports: await of('test_reports'), results }
}

for (const database of databases) {
  describe(`old test results on ${database}`, () => {
    test('are removed when they were kept long enough, and no others', async () => {
      await using it = await smallWorld(database)
      const old = await tested(it)
      it.wait(day)
      const young = await tested(it)
      assert.equal(await sweepTests(it.world), false)
      assert.deepEqual(await left(it), { reports: [old, young], results: new Set([old, young]) })
      it.wait(89 * day + 1)
      assert.equal(await sweepTests(it.world), false)
      assert.deepEqual(await left(it), { reports: [young], results: new Set([young]) })
      it.wait(day)
      await sweepTests(it.world)
      assert.deepEqual(await left(it), { reports: [], results: new Set() })
    })
  })
}
