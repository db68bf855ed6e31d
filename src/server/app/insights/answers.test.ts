import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '#test/property.ts'
import { type Run, runStatuses } from '#core/insights/run.ts'
import { dayMs, hourMs, type WindowName } from '#core/insights/window.ts'
import { instant } from '#kit/brand.ts'
import { insertJobFact, insertRunFact } from '#server/store/facts.ts'
import { givenProject, givenWorkflowOf } from '#test/given.ts'
import { ploddingMetrics, ploddingSums, ploddingSumTrends, ploddingTrends } from '#test/plodding.ts'
import { databases, noon, type SmallWorld, smallWorld } from '#test/world.ts'
import { packDays } from './pack-days.ts'
import { answer } from './questions.ts'

const now = Date.parse(noon)

/** A run with what it is a run of; the work of a run is one build of the same length. */
interface Past extends Run {
  readonly workflow: string
}

const lengths: Readonly<Record<WindowName, number>> = {
  'last-24-hours': dayMs,
  'last-7-days': 7 * dayMs,
  'last-30-days': 30 * dayMs,
  'last-60-days': 60 * dayMs,
  'last-90-days': 90 * dayMs,
}
const names = Object.keys(lengths) as WindowName[]

/** How long ago something began: often just on the border of a window, or of a day or an hour. */
const ago = fc.oneof(
  fc.integer({ min: 1, max: 95 * dayMs }),
  fc.integer({ min: 1, max: 2 * dayMs }),
  fc
    .tuple(fc.constantFrom(...names), fc.integer({ min: -1, max: 1 }), fc.constantFrom(1, 2))
    .map(([name, more, times]) => times * lengths[name] + more),
  fc.integer({ min: 0, max: 90 }).map((days) => (now % dayMs) + days * dayMs),
  fc.integer({ min: 0, max: 50 }).map((hours) => (now % hourMs) + hours * hourMs),
)

const histories = fc.uniqueArray(
  fc.record({
    workflow: fc.constantFrom('main', 'nightly'),
    started: ago.map((ms) => now - Math.max(1, ms)),
    seconds: fc.integer({ min: 0, max: 500 }),
    status: fc.constantFrom(...runStatuses.filter((status) => status !== 'open')),
    branch: fc.constantFrom('main', 'other', ''),
    credits: fc.integer({ min: 0, max: 100_000 }),
  }),
  { selector: ({ started }) => started, maxLength: 40 },
)
const asked = fc.record({
  name: fc.constantFrom(...names),
  branches: fc.constantFrom<readonly string[] | undefined>(undefined, ['main'], ['other', 'main'], ['none']),
  rule: fc.constantFrom('all' as const, 'not-canceled' as const),
  openAgo: ago.map((ms) => Math.max(1, ms)),
  packs: fc.boolean(),
})

async function keep(it: SmallWorld, project: string, { workflow, ...run }: Past): Promise<void> {
  const fact = { ...run, project_id: project, id: it.world.newId(), duration: run.duration ?? 0 }
  await it.world.db.transaction().execute(async (tx) => {
    await insertRunFact(tx, { ...fact, name: workflow })
    await insertJobFact(tx, { ...fact, workflow, name: 'build', queued: 0, resource_class: 'medium', nodes: 1 })
  })
}

for (const database of databases) {
  describe(`answers about random histories on ${database}`, () => {
    test('are what plodding through all runs finds, for every window, branch and rule', async () => {
      await using it = await smallWorld(database)
      const project = await givenProject(it)
      const { db } = it.world
      const open = await givenWorkflowOf(it, project, 'build')
      const property = fc.asyncProperty(histories, asked, async (history, { name, branches, rule, openAgo, packs }) => {
        for (const table of ['run_facts', 'job_facts', 'packed_runs', 'packed_jobs'] as const)
          await db.deleteFrom(table).execute()
        const ended = history.map(({ seconds, ...run }): Past => ({ ...run, duration: seconds * 1000 }))
        for (const run of ended) await keep(it, project.id, run)
        if (packs) await packDays(it.world)
        // One that still runs, or waits, and counts without taking time.
        const running: Past = {
          workflow: 'main',
          started: now - openAgo,
          status: 'open',
          duration: null,
          credits: 0,
          branch: 'main',
        }
        const since = instant(new Date(running.started))
        await db.updateTable('workflows').set({ created_at: since }).where('id', '=', open.id).execute()
        await db
          .updateTable('jobs')
          .set({ queued_at: since, started_at: since, status: 'running' })
          .where('workflow_id', '=', open.id)
          .execute()
        const all = [...ended, running]
        const wanted = (branch: string) => branches === undefined || branches.includes(branch)
        const within = (from: number, to: number) => (run: Past) => run.started >= from && run.started < to
        const current = all.filter(within(now - lengths[name], now + 1))
        const before = all.filter(within(now - 2 * lengths[name], now - lengths[name]))
        const source = { db, now, rule }
        const chosen = branches && new Set(branches)
        const of = (workflow: string) => current.filter((run) => run.workflow === workflow && wanted(run.branch))
        const expected = ['main', 'nightly'].flatMap((workflow) =>
          of(workflow).length === 0 ? [] : [{ name: workflow, metrics: ploddingMetrics(of(workflow), rule) }],
        )
        assert.deepEqual((await answer('workflowMetrics', source, project.id, [chosen, name])).items, expected)
        const jobs = of('main').length === 0 ? [] : [{ name: 'build', metrics: ploddingMetrics(of('main'), rule) }]
        assert.deepEqual((await answer('jobMetrics', source, project.id, ['main', chosen, name])).items, jobs)

        const hasTrend = lengths[name] <= 30 * dayMs
        const steady = { runs: 1, failed: 1, successRate: 1, seconds: 1, credits: 1, throughput: 1 }
        const two = (workflow: string, is: (branch: string) => boolean) => {
          const meant = (run: Past) => run.workflow === workflow && is(run.branch)
          const interval = name === 'last-24-hours' ? hourMs : dayMs
          const [a, b] = [current.filter(meant), before.filter(meant)]
          return {
            metrics: ploddingMetrics(a, rule),
            trends: hasTrend ? ploddingTrends(a, b, rule, interval) : { ...steady, mttr: 1, p95: 1, median: 1 },
          }
        }
        const summary = await answer('projectSummary', source, project.id, [name, branches])
        const shown = (run: Past) => wanted(run.branch)
        assert.deepEqual(summary.whole, {
          metrics: ploddingSums(current.filter(shown), rule),
          trends: hasTrend ? ploddingSumTrends(current.filter(shown), before.filter(shown), rule) : steady,
        })
        assert.deepEqual(
          summary.workflows,
          expected.map((one) => ({ name: one.name, compared: two(one.name, wanted) })),
        )
        assert.deepEqual(
          summary.branches,
          expected.flatMap((one) =>
            [...new Set(of(one.name).map(({ branch }) => branch))]
              .filter((branch) => branch !== '')
              .toSorted()
              .map((branch) => ({ name: one.name, branch, compared: two(one.name, (other) => other === branch) })),
          ),
        )
        const single = await answer('workflowSummary', source, project.id, ['main', chosen, name])
        assert.deepEqual(single.compared, two('main', wanted))
      })
      await fc.assert(property, { numRuns: database === 'sqlite' ? 40 : 8, endOnFailure: true })
    })
  })
}
