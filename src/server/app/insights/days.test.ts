import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '#test/property.ts'
import { metricsOf } from '#core/insights/metrics.ts'
import { runStatuses } from '#core/insights/run.ts'
import { runsOf } from '#core/insights/runs.ts'
import { addTotals, noTotals, totalsOf } from '#core/insights/totals.ts'
import { dayMs } from '#core/insights/window.ts'
import { insertJobFact, insertRunFact, type JobFact, type RunFact } from '#server/store/facts.ts'
import { spoilDay } from '#server/store/packed-days.ts'
import { readTotals } from '#server/store/run-totals.ts'
import { givenProject } from '#test/given.ts'
import { databases, noon, type SmallWorld, smallWorld } from '#test/world.ts'
import { foldOldRuns, runDays } from './keep-days.ts'
import { allBranches } from './names.ts'
import { packDays } from './pack-days.ts'
import { readEndedJobs, readRuns } from './read-runs.ts'

const now = Date.parse(noon)
const ended = runStatuses.filter((status) => status !== 'open')

/** Facts of some days, most of them small, in the order in which they end. */
const facts = fc.array(
  fc.record({
    ago: fc.oneof(fc.integer({ min: 1, max: 6 * dayMs }), fc.constantFrom(dayMs, now % dayMs, (now % dayMs) + 1)),
    duration: fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constant(5_000_000_000)),
    status: fc.constantFrom(...ended),
    branch: fc.constantFrom('main', 'other', ''),
    credits: fc.integer({ min: 0, max: 100_000 }),
    job: fc.constantFrom('build', 'deploy'),
    /** Whether days are packed after this one ended. */
    packs: fc.boolean(),
  }),
  { maxLength: 25 },
)
const windows = fc.tuple(fc.integer({ min: 0, max: 7 * dayMs }), fc.integer({ min: 0, max: 7 * dayMs }))

async function record(it: SmallWorld, run: RunFact, job: JobFact): Promise<void> {
  await it.world.db.transaction().execute(async (tx) => {
    await insertRunFact(tx, run)
    await insertJobFact(tx, job)
    const place = { project: run.project_id, workflow: run.name }
    // As whatever ends a run does it.
    if (Math.floor(run.started / dayMs) === Math.floor(now / dayMs)) return
    await spoilDay(tx, 'packed_runs', place, run.started)
    await spoilDay(tx, 'packed_jobs', place, job.started)
  })
}

for (const database of databases) {
  describe(`days of facts on ${database}`, () => {
    test('whatever is packed, and whatever ends late, a window tells of its runs', async () => {
      await using it = await smallWorld(database)
      const project = (await givenProject(it)).id
      const { db } = it.world
      const workflow = 'main'
      const place = { project, workflow }
      const property = fc.asyncProperty(facts, windows, async (history, [a, b]) => {
        for (const table of ['run_facts', 'job_facts', 'packed_runs', 'packed_jobs'] as const)
          await db.deleteFrom(table).execute()
        const runs: RunFact[] = []
        for (const { ago, job, packs, ...rest } of history) {
          const started = now - ago
          const run = { ...rest, project_id: project, name: workflow, started, id: it.world.newId() }
          const { name: _, ...common } = run
          const more = { name: job, queued: 7, resource_class: 'medium', nodes: 1 }
          await record(it, run, { ...common, ...more, workflow })
          runs.push(run)
          if (packs) await packDays(it.world)
        }
        const window = { from: now - Math.max(a, b), to: now - Math.min(a, b) + 1 }
        const inside = runs
          .filter(({ started }) => started >= window.from && started < window.to)
          .map((run) => ({ ...run, status: run.status as (typeof ended)[number] }))
        const wanted = { ...place, window, branches: undefined }
        const expected = runsOf(inside)
        // Of those that began in one millisecond, one may stand before the other.
        const { mttr: _m, recoveries: _r, ...metrics } = metricsOf(await readRuns(db, wanted), 'all')
        const { mttr: _n, recoveries: _s, ...plain } = metricsOf(expected, 'all')
        assert.deepEqual(metrics, plain)
        assert.deepEqual(await readTotals(db, place, window), addTotals(noTotals, totalsOf(expected)))
        const mains = { ...wanted, branches: new Set(['main']) }
        assert.deepEqual(
          totalsOf((await readEndedJobs(db, mains)).runs),
          totalsOf(runsOf(inside.filter(({ branch }) => branch === 'main'))),
        )
        const branches = new Set(runs.flatMap(({ branch }) => (branch === '' ? [] : [branch])))
        assert.deepEqual(await allBranches({ db, now, rule: 'all' }, project, workflow), [...branches].toSorted())
      })
      await fc.assert(property, { numRuns: database === 'sqlite' ? 40 : 10, endOnFailure: true })
    })

    test('what was kept long enough becomes sums of days, and nothing is left of it, packed or not', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const { db } = it.world
      const days = async () => (await runDays(it.app, project, 'main')).items.map((day) => ({ ...day }))
      for (const [i, ago] of [92, 91.9, 91, 90, 89, 1].entries()) {
        const common = { project_id: project.id, started: now - ago * dayMs, id: it.world.newId(), branch: 'main' }
        const told = { status: i % 2 === 0 ? 'success' : 'failed', duration: 60_000, credits: 1_000 }
        const job = { name: 'build', queued: 0, resource_class: 'medium', nodes: 1, workflow: 'main' }
        // The last build of a workflow outlasts its run by a day: nobody may forget to forget it.
        const later = { ...common, started: common.started + dayMs }
        await record(it, { ...common, ...told, name: 'main' }, { ...later, ...told, ...job })
        if (i === 0)
          await record(it, { ...common, ...told, name: 'once' }, { ...later, ...told, ...job, workflow: 'once' })
      }
      await packDays(it.world)
      const fresh = await days()
      await foldOldRuns(it.world)
      assert.deepEqual(await days(), fresh)
      const left = async (table: 'run_facts' | 'job_facts' | 'packed_runs' | 'packed_jobs') =>
        (await db.selectFrom(table).select('project_id').execute()).length
      assert.deepEqual([await left('run_facts'), await left('packed_runs')], [3, 3])
      it.wait(95 * dayMs)
      await foldOldRuns(it.world)
      assert.deepEqual(
        [await left('run_facts'), await left('packed_runs'), await left('job_facts'), await left('packed_jobs')],
        [0, 0, 0, 0],
      )
      assert.deepEqual(await days(), fresh)
      assert.equal((await runDays(it.app, project, 'once')).items.length, 1)
    })
  })
}
