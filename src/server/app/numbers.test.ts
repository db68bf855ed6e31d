import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claim, end, givenAgent, givenProject, givenWorkflow } from '#test/given.ts'
import { databases, smallWorld } from '#test/world.ts'
import { createPipeline } from './trigger.ts'

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1)
const wanted = {
  type: 'api',
  actor: null,
  revision: '1'.repeat(40),
  branch: 'main',
  tag: null,
  parameters: {},
  options: {},
} as const

for (const database of databases) {
  describe(`numbers on ${database}`, () => {
    test('pipelines made at the same time are numbered without a gap, though some are taken back', async () => {
      await using it = await smallWorld(database)
      const { world } = it
      const project = await givenProject(it)
      const endings = await Promise.allSettled(
        upTo(60).map((i) =>
          world.db.transaction().execute(async (tx) => {
            const { number } = await createPipeline(world, tx, project, wanted)
            if (i % 3 === 0) throw new Error('Changed my mind')
            return number
          }),
        ),
      )
      const numbers = endings.flatMap((ending) => (ending.status === 'fulfilled' ? [ending.value] : []))
      assert.deepEqual(
        numbers.toSorted((a, b) => a - b),
        upTo(40),
      )
    })

    test('builds are numbered without a gap when they become ready, in every workflow of the project', async () => {
      await using it = await smallWorld(database)
      await givenProject(it)
      await Promise.all(upTo(12).map(() => givenWorkflow(it, 'a', 'b', 'never: a=failed', 'c: a b')))
      const numbersNow = async () =>
        (
          await it.world.db
            .selectFrom('jobs')
            .select('number')
            .where('number', 'is not', null)
            .orderBy('number')
            .execute()
        ).map((row) => row.number)
      assert.deepEqual(await numbersNow(), upTo(24))
      const agent = await givenAgent(it)
      const held = await claim(it, agent, 24)
      await Promise.all(held.map((one) => end(it, one)))
      assert.deepEqual(await numbersNow(), upTo(36))
    })

    test('each project counts for itself', async () => {
      await using it = await smallWorld(database)
      const { world } = it
      for (const name of ['one', 'other']) {
        const project = await givenProject(it, name)
        const { number } = await world.db.transaction().execute((tx) => createPipeline(world, tx, project, wanted))
        assert.equal(number, 1)
      }
    })
  })
}
