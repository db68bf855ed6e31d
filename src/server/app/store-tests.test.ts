import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WorkflowId } from '#core/ids.ts'
import { ada, claim, end, givenAgent, givenWorkflow, type Held } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { jobById } from '#server/store/jobs.ts'
import { keepText } from '#server/store/texts.ts'
import { failedTestsBefore, rerunFailedTests } from './failed-tests.ts'
import { allTests, jobTests, testOutput, testProblems, testsAtAGlance } from './job-tests.ts'
import { storeTests, type TestBatch, type ToldTest } from './store-tests.ts'

const told = (name: string, more: Partial<ToldTest> = {}): ToldTest => ({
  classname: 'A',
  name,
  file: `${name}.js`,
  source: 'unknown',
  result: 'success',
  message: '',
  run_time: 1,
  ...more,
})

const batch = (number: number, ...tests: readonly ToldTest[]): TestBatch => ({
  batch: number,
  tests,
  bytes: 10,
  problems: [],
})

for (const database of databases) {
  describe(`test results on ${database}`, () => {
    async function running(it: SmallWorld, ...lines: readonly string[]): Promise<Held> {
      await givenWorkflow(it, ...(lines.length === 0 ? ['build'] : lines))
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      return held
    }
    const rowOf = async ({ world }: SmallWorld, { job }: Held) => {
      const row = await jobById(world.db, { id: job.id })
      assert.ok(row)
      return row
    }
    async function namesOf(it: SmallWorld, held: Held): Promise<readonly string[]> {
      const names: string[] = []
      for await (const rows of allTests(it.app, await rowOf(it, held))) names.push(...rows.map(({ name }) => name))
      return names
    }

    test('a batch is kept once, however often it is told, and none is left out', async () => {
      await using it = await smallWorld(database)
      const { lease, ...held } = await running(it)
      const answers = [
        await storeTests(it.world, lease, 1, batch(0, told('a'), told('b'))),
        await storeTests(it.world, lease, 1, batch(0, told('a'), told('b'))),
        await storeTests(it.world, lease, 1, batch(2, told('d'))),
        await storeTests(it.world, lease, 1, { ...batch(1, told('c')), problems: ['x.xml: broken'] }),
        await storeTests(it.world, lease, 0, batch(0, told('z'))),
      ]
      assert.deepEqual(answers, [1, 1, 1, 2, 1])
      assert.deepEqual(await namesOf(it, { ...held, lease }), ['z', 'a', 'b', 'c'])
      assert.deepEqual(await testProblems(it.app, await rowOf(it, { ...held, lease })), ['x.xml: broken'])
    })

    test('what failed tests printed is kept, of the first hundreds of a step, and read one at a time', async () => {
      await using it = await smallWorld(database)
      const held = await running(it)
      const failed = (name: string, output?: string) =>
        told(name, { result: 'failure', ...(output !== undefined && { output }) })
      await storeTests(
        it.world,
        held.lease,
        1,
        batch(0, told('a', { output: 'x' }), failed('b', 'B'), failed('c'), failed('d', 'D')),
      )
      const many = Array.from({ length: 299 }, (_, i) => failed(`e${i}`, `E${i}`))
      await storeTests(it.world, held.lease, 1, batch(1, ...many))
      const row = await rowOf(it, held)
      const { failures } = await testsAtAGlance(it.app, row)
      assert.deepEqual(
        failures.slice(0, 3).map(({ test, output }) => [test.name, output]),
        [
          ['b', '0 1 1'],
          ['c', undefined],
          ['d', '0 1 3'],
        ],
      )
      assert.equal(failures.filter(({ output }) => output !== undefined).length, 299)
      assert.equal(await testOutput(it.app, row, '0 1 3'), 'D')
      assert.equal(await testOutput(it.app, row, '0 1 302'), undefined)
    })

    test('what comes from an agent that has lost the job is refused', async () => {
      await using it = await smallWorld(database)
      const held = await running(it)
      await end(it, held)
      await assert.rejects(storeTests(it.world, held.lease, 0, batch(0, told('a'))), { code: 'unauthenticated' })
      assert.deepEqual(await namesOf(it, held), [])
    })

    test('pages hold twenty and survive what comes in between', async () => {
      await using it = await smallWorld(database)
      const held = await running(it)
      const many = (from: number) => Array.from({ length: 25 }, (_, i) => told(`t${from + i}`))
      await storeTests(it.world, held.lease, 0, batch(0, ...many(0)))
      const job = await rowOf(it, held)
      const first = await jobTests(it.app, job, undefined)
      await storeTests(it.world, held.lease, 0, batch(1, ...many(25)))
      const second = await jobTests(it.app, job, first.next ?? '')
      const third = await jobTests(it.app, job, second.next ?? '')
      assert.deepEqual(
        [first, second, third].map(({ items, next }) => [items.length, items[0]?.name, next !== null]),
        [
          [20, 't0', true],
          [20, 't20', true],
          [10, 't40', false],
        ],
      )
      await assert.rejects(jobTests(it.app, job, 'x'), { code: 'not-found' })
    })

    test('a job with more than 250 MB of test data shows none', async () => {
      await using it = await smallWorld(database)
      const held = await running(it)
      await storeTests(it.world, held.lease, 0, { ...batch(0, told('a')), bytes: 249_999_990 })
      assert.deepEqual(await namesOf(it, held), ['a'])
      await storeTests(it.world, held.lease, 0, { ...batch(1, told('b')), bytes: 11 })
      assert.deepEqual(await namesOf(it, held), [])
      assert.deepEqual(await jobTests(it.app, await rowOf(it, held), undefined), { items: [], next: null })
    })

    test('timings are those of the last run of each file, whole runs and partial ones together', async () => {
      await using it = await smallWorld(database)
      async function ran(outcome: 'success' | 'failed', ...tests: readonly ToldTest[]) {
        const held = await running(it)
        await storeTests(it.world, held.lease, 0, batch(0, ...tests))
        await end(it, held, outcome)
        it.wait(1000)
      }
      await ran('success', told('old', { run_time: 9 }))
      await ran(
        'success',
        told('a', { run_time: 1 }),
        told('b', { run_time: 2, file: 'a.js' }),
        told('c', { run_time: 5 }),
      )
      await ran('failed', told('c', { run_time: 7 }), told('none', { file: '' }))
      const { lease } = await running(it)
      assert.deepEqual(await it.app.timings(lease, 'filename'), { 'c.js': 7, 'a.js': 3 })
      assert.deepEqual(await it.app.timings(lease, 'classname'), { A: 8 })
      assert.deepEqual(await it.app.timings(lease, 'testname'), { c: 7, none: 1, a: 1, b: 2 })
    })

    test('a rerun of failed tests is told which failed; one that has none to tell of runs all', async () => {
      await using it = await smallWorld(database)
      const held = await running(it)
      await storeTests(it.world, held.lease, 0, batch(0, told('a'), told('b', { result: 'failure' })))
      assert.equal(await failedTestsBefore(it.world, held.lease), undefined)
      await end(it, held, 'failed')
      const { id } = await ada(it)
      const agent = await givenAgent(it)
      await rerunFailedTests(it.world, id, held.lease.workflow_id as WorkflowId)
      const [again] = await claim(it, agent)
      assert.ok(again)
      assert.deepEqual(await failedTestsBefore(it.world, again.lease), [{ file: 'b.js', classname: 'A', name: 'b' }])
      await end(it, again, 'failed')
      await rerunFailedTests(it.world, id, again.lease.workflow_id as WorkflowId)
      const [third] = await claim(it, agent)
      assert.ok(third)
      assert.equal(await failedTestsBefore(it.world, third.lease), undefined)
    })

    test('while a great many results are kept, others have their turn between two batches', async () => {
      await using it = await smallWorld(database)
      const { lease } = await running(it)
      const rows = Array.from({ length: 250 }, (_, i) => told(`a test with a usual name ${i}`))
      const batches = 40
      let turns = 0
      let done = false
      const others = (async () => {
        while (!done) {
          await it.world.db.transaction().execute((tx) => keepText(tx, `text ${turns}`))
          turns++
        }
      })()
      for (let i = 0; i < batches; i++) await storeTests(it.world, lease, 0, batch(i, ...rows))
      done = true
      await others
      assert.ok(turns >= batches / 2, `only ${turns} turns in ${batches} batches`)
    })
  })
}
