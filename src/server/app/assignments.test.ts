import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queueLength } from '#server/store/queue.ts'
import { claim, givenAgent, givenProject, givenWorkflow, storyOf } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { later } from '#kit/brand.ts'
import { ada } from '#core/play.ts'
import { tidy } from './pending.ts'
import { cancelWorkflow } from './workflows.ts'

const twenty = Array.from({ length: 20 }, (_, i) => `job${i}`)

/** Puts the jobs of all workflows in line as if they had come one by one, never two of the same workflow together. */
async function shuffle({ world }: SmallWorld): Promise<readonly string[]> {
  const places = await world.db.selectFrom('queue').select('job_id').execute()
  const order = places.map(({ job_id }) => job_id.split('').toReversed().join('')).toSorted()
  const ids = order.map((turned) => turned.split('').toReversed().join(''))
  await world.db.transaction().execute(async (tx) => {
    for (const [i, id] of ids.entries()) {
      await tx.updateTable('queue').set({ turn: i }).where('job_id', '=', id).execute()
    }
  })
  return ids
}

for (const database of databases) {
  describe(`the queue on ${database}`, () => {
    test('twenty takers share five hundred jobs: each is given once, and nobody stands in another’s way', async () => {
      await using it = await smallWorld(database)
      await givenProject(it)
      for (let i = 0; i < 25; i++) await givenWorkflow(it, ...twenty)
      const order = new Map((await shuffle(it)).map((id, place) => [id, place]))
      const agents = await Promise.all(twenty.map(() => givenAgent(it)))
      const taken = await Promise.all(
        agents.map(async (agent) => {
          const mine: number[] = []
          for (let i = 0; i < 500; i++) {
            const jobs = await claim(it, agent, 7)
            assert.ok(jobs.length <= 7)
            if (jobs.length === 0) break
            mine.push(...jobs.map(({ job }) => order.get(job.id) ?? -1))
          }
          return mine
        }),
      )
      assert.deepEqual(
        taken.flat().toSorted((a, b) => a - b),
        Array.from(order.values()).toSorted((a, b) => a - b),
      )
      for (const mine of taken)
        assert.deepEqual(
          mine,
          mine.toSorted((a, b) => a - b),
        )
      assert.equal(await queueLength(it.world.db), 0)
    })

    test('one taker gets the jobs in the order in which they came', async () => {
      await using it = await smallWorld(database)
      const first = await givenWorkflow(it, 'a', 'b', 'c: a')
      it.wait(1)
      const second = await givenWorkflow(it, 'd', 'e')
      const agent = await givenAgent(it)
      const wanted = [first.jobs['a'], first.jobs['b'], second.jobs['d'], second.jobs['e']]
      assert.deepEqual(
        (await claim(it, agent, 10)).map(({ job }) => job.id),
        wanted,
      )
    })

    test('a job that was taken is running, leased for a short while, and everybody is told', async () => {
      await using it = await smallWorld(database)
      const { id, jobs, pipeline, project } = await givenWorkflow(it, 'build')
      const agent = await givenAgent(it)
      it.rung.length = 0
      const [held] = await claim(it, agent)
      assert.deepEqual(await storyOf(it, id), ['build running', 'running'])
      assert.equal(held?.fence, 1)
      assert.deepEqual(
        [held?.lease.agent_id, held?.lease.started, held?.lease.expires_at],
        [agent.id, 0, later(noon, it.world.terms.acceptMs)],
      )
      assert.deepEqual(
        it.rung.toSorted(),
        [`job:${jobs['build']}`, `pipeline:${pipeline}`, `project:${project.id}`, `workflow:${id}`].toSorted(),
      )
    })

    test('jobs that were canceled in line are passed over, however many', async () => {
      await using it = await smallWorld(database)
      const canceled = await givenWorkflow(it, ...twenty)
      const wanted = await givenWorkflow(it, 'wanted', 'also')
      await cancelWorkflow(it.world, ada, canceled.id)
      const agent = await givenAgent(it)
      assert.deepEqual(
        (await claim(it, agent, 1)).map(({ job }) => job.id),
        [wanted.jobs['wanted']],
      )
      assert.deepEqual(
        (await claim(it, agent, 3)).map(({ job }) => job.id),
        [wanted.jobs['also']],
      )
      await tidy(it.app)
      assert.equal(await queueLength(it.world.db), 0)
    })

    test('an agent gets jobs of its resource classes only, and leaves the others in line', async () => {
      await using it = await smallWorld(database)
      const { jobs } = await givenWorkflow(it, 'large@a', 'medium@b', 'large@c', 'small@d')
      const agent = await givenAgent(it, 'large', 'small')
      const taken = await claim(it, agent, 10)
      assert.deepEqual(
        taken.map(({ job }) => job.id),
        [jobs['a'], jobs['c'], jobs['d']],
      )
      assert.equal(await queueLength(it.world.db), 1)
    })
  })
}
