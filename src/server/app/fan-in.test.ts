import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claim, end, type Given, givenAgent, givenProject, givenWorkflow, storyOf } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'

const twelve = Array.from({ length: 12 }, (_, i) => `job${i}`)

async function eventsOf({ world }: SmallWorld, { id }: Given): Promise<Readonly<Record<string, number>>> {
  const rows = await world.db.selectFrom('events').select('kind').where('workflow_id', '=', id).execute()
  return Object.fromEntries([...Map.groupBy(rows, (row) => row.kind)].map(([kind, those]) => [kind, those.length]))
}

for (const database of databases) {
  describe(`the end of many jobs at once on ${database}`, () => {
    // Without the lock on the workflow, on PostgreSQL each of twelve finishers sees the others still running and nobody releases the last job.
    test(
      'every one of fifteen workflows of twelve jobs goes on and ends, and each ending is told once',
      { timeout: 300_000 },
      async () => {
        await using it = await smallWorld(database)
        await givenProject(it)
        const given: Given[] = []
        for (let i = 0; i < 15; i++) given.push(await givenWorkflow(it, ...twelve, `join: ${twelve.join(' ')}`))
        const agent = await givenAgent(it)
        const held = await claim(it, agent, 15 * 12)
        await Promise.all(held.map((one) => end(it, one)))
        const joins = await claim(it, agent, 100)
        assert.deepEqual(joins.map(({ job }) => job.id).toSorted(), given.map(({ jobs }) => jobs['join']).toSorted())
        await Promise.all(joins.map((one) => end(it, one)))
        const wanted = [...twelve.map((name) => `${name} success`), 'join success', 'success']
        for (const one of given) {
          assert.deepEqual(await storyOf(it, one.id), wanted)
          assert.deepEqual(await eventsOf(it, one), { 'job-completed': 13, 'workflow-completed': 1 })
        }
      },
    )

    test('an ending that is told twice at once counts once', async () => {
      await using it = await smallWorld(database)
      const given = await givenWorkflow(it, 'build')
      const [held] = await claim(it, await givenAgent(it))
      assert.ok(held)
      const endings = await Promise.allSettled([end(it, held), end(it, held, 'failed'), end(it, held)])
      assert.equal(endings.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.deepEqual(await eventsOf(it, given), { 'job-completed': 1, 'workflow-completed': 1 })
    })
  })
}
