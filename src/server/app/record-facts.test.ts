import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { migrate } from '#server/store/migrate.ts'
import type { Db } from '#server/store/schema.ts'
import { claim, end, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, noon, smallWorld } from '#test/world.ts'
import { packDays } from './insights/pack-days.ts'
import { cancelWorkflow } from './workflows.ts'

const runsIn = (db: Db) => db.selectFrom('run_facts').selectAll().orderBy('started').execute()
const jobsIn = (db: Db) => db.selectFrom('job_facts').selectAll().orderBy('started').orderBy('id').execute()

for (const database of databases) {
  describe(`facts on ${database}`, () => {
    test('a run is told with its times and what it cost, the moment it ends', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const { id } = await givenWorkflow(it, 'build*3', 'deploy: build')
      it.wait(10_000)
      const nodes = await claim(it, agent, 3)
      it.wait(60_000)
      for (const node of nodes) await end(it, node)
      assert.deepEqual(await runsIn(it.world.db), [])
      const [deploy] = await claim(it, agent)
      it.wait(30_000)
      if (deploy) await end(it, deploy, 'failed')
      const began = Date.parse(noon)
      assert.deepEqual(
        (await runsIn(it.world.db)).map((run) => [
          run.id,
          run.started,
          run.duration,
          run.status,
          run.branch,
          run.credits,
        ]),
        [[id, began, 100_000, 'failed', 'main', 3_500]],
      )
      assert.deepEqual(
        (await jobsIn(it.world.db)).map((job) => [
          job.name,
          job.started - began,
          job.duration,
          job.queued,
          job.credits,
          job.nodes,
        ]),
        [
          ['build', 10_000, 60_000, 10_000, 3_000, 3],
          ['deploy', 70_000, 30_000, 0, 500, 1],
        ],
      )
    })

    test('a workflow that is canceled is a run, and its jobs are if their turn had come', async () => {
      await using it = await smallWorld(database)
      const { id } = await givenWorkflow(it, 'build', 'deploy: build')
      it.wait(5_000)
      await cancelWorkflow(it.world, undefined, id)
      await cancelWorkflow(it.world, undefined, id)
      assert.deepEqual(
        (await runsIn(it.world.db)).map(({ status, duration, credits }) => [status, duration, credits]),
        [['canceled', 5_000, 0]],
      )
      assert.deepEqual(
        (await jobsIn(it.world.db)).map(({ name, status, duration }) => [name, status, duration]),
        [['build', 'canceled', null]],
      )
    })

    test('an older database gets the facts of what ended before there were any', async () => {
      await using it = await smallWorld(database)
      const { db } = it.world
      const agent = await givenAgent(it)
      for (const outcome of ['success', 'failed', 'timedout'] as const) {
        await givenWorkflow(it, 'build', 'deploy: build')
        it.wait(1_234)
        for (let turn = 0; turn < 2; turn += 1) {
          for (const held of await claim(it, agent)) {
            it.wait(60_000)
            await end(it, held, outcome)
          }
        }
      }
      const { id } = await givenWorkflow(it, 'build', 'deploy: build')
      await cancelWorkflow(it.world, undefined, id)
      await givenWorkflow(it, 'still running')
      const [runs, jobs] = [await runsIn(db), await jobsIn(db)]
      for (const table of ['run_facts', 'job_facts', 'run_days', 'cache_uses', 'quarantined_tests', 'trace_queue'])
        await sql.raw(`drop table ${table}`).execute(db)
      await sql`drop index test_results_over_time`.execute(db)
      await sql`delete from migrations where name = '0012-insights'`.execute(db)
      await migrate(db, () => 'later')
      assert.deepEqual([runs.length, jobs.length], [4, 5])
      assert.deepEqual(await runsIn(db), runs)
      assert.deepEqual(await jobsIn(db), jobs)
    })

    test('a run that ends after midnight belongs to the day in which it began, also if that was packed', async () => {
      await using it = await smallWorld(database)
      const agent = await givenAgent(it)
      const { project } = await givenWorkflow(it, 'build')
      const held = await claim(it, agent)
      await givenWorkflow(it, 'build')
      for (const one of await claim(it, agent)) await end(it, one)
      it.wait(14 * 3_600_000)
      await packDays(it.world)
      const count = async () => (await it.app.insights.ask('projectTotals', project.id, 'last-7-days')).now
      const days = async () => (await it.world.db.selectFrom('packed_runs').select('runs').execute()).length
      assert.deepEqual([(await count()).total, (await count()).successful, await days()], [2, 1, 1])
      for (const one of held) await end(it, one)
      assert.deepEqual([(await count()).total, (await count()).successful], [2, 2])
      const jobs = async () =>
        (await it.app.insights.ask('jobMetrics', project.id, 'main', undefined)).items[0]?.metrics
      assert.equal((await jobs())?.successful, 2)
      await packDays(it.world)
      assert.deepEqual([(await count()).successful, (await jobs())?.successful, await days()], [2, 2, 1])
    })
  })
}
