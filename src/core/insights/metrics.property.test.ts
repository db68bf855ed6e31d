import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { metricsOf } from './metrics.ts'
import type { Run, RunStatus } from './run.ts'
import { runsByBranch, runsOf } from './runs.ts'
import { seriesOf } from './series.ts'
import { dayMs } from './window.ts'

const statuses: readonly RunStatus[] = ['success', 'failed', 'error', 'canceled', 'unauthorized', 'open']

const runs = fc
  .uniqueArray(
    fc.record({
      started: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_000 + 20 * dayMs }),
      took: fc.integer({ min: 0, max: 10_000_000 }),
      status: fc.constantFrom(...statuses),
      credits: fc.integer({ min: 0, max: 100_000 }),
      branch: fc.constantFrom('main', 'other', ''),
    }),
    { selector: ({ started }) => started, maxLength: 60 },
  )
  .map((all): readonly Run[] =>
    all.map(({ took, ...rest }) => ({ ...rest, duration: rest.status === 'open' ? null : took })),
  )

/** The same numbers, found in the most plodding way. */
function plodding(all: readonly Run[]) {
  const count = (status: RunStatus) => all.filter((run) => run.status === status).length
  const times = all.flatMap(({ duration }) => (duration === null ? [] : [duration])).toSorted((a, b) => a - b)
  const cut = (value: number) => Math.floor(value / 1000)
  const place = (share: number): number => {
    // The share of the way between the two neighbours of a place, one hundredth at a time.
    const exact = ((times.length - 1) * share * 100) / 100
    const lower = times[Math.floor(exact)] ?? 0
    const upper = times[Math.ceil(exact)] ?? lower
    return lower * (1 - (exact - Math.floor(exact))) + upper * (exact - Math.floor(exact))
  }
  const mean = times.reduce((sum, value) => sum + value, 0) / times.length
  const variance = times.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / (times.length - 1)
  let [recoveries, time] = [0, 0]
  for (const branch of ['main', 'other', '']) {
    const decided = all
      .filter((run) => run.branch === branch && (run.status === 'success' || run.status === 'failed'))
      .toSorted((a, b) => a.started - b.started)
    for (const [i, good] of decided.entries()) {
      if (good.status !== 'success' || decided[i - 1]?.status !== 'failed') continue
      let first = i - 1
      while (decided[first - 1]?.status === 'failed') first -= 1
      const bad = decided[first]
      recoveries += 1
      time += Math.max(0, good.started + (good.duration ?? 0) - (bad?.started ?? 0) - (bad?.duration ?? 0))
    }
  }
  const starts = all.map(({ started }) => started)
  const days = Math.max(1, Math.ceil((Math.max(...starts) - Math.min(...starts)) / dayMs))
  return {
    total: all.length,
    successful: count('success'),
    failed: count('failed'),
    canceled: count('canceled'),
    throughput: all.length === 0 ? 0 : all.length / days,
    credits: Math.floor(all.reduce((sum, { credits }) => sum + credits, 0) / 1000),
    min: times.length === 0 ? null : cut(times[0] ?? 0),
    max: times.length === 0 ? null : cut(times.at(-1) ?? 0),
    mean: times.length === 0 ? null : mean,
    median: times.length === 0 ? null : place(0.5),
    p95: times.length === 0 ? null : place(0.95),
    deviation: times.length === 0 ? null : times.length === 1 ? 0 : Math.sqrt(variance),
    mttr: recoveries === 0 ? null : Math.floor(time / recoveries / 1000),
    recoveries,
  }
}

/** Equal but for what floating point may make of a value on the edge of a whole second. */
function near(cutSeconds: number | null, ms: number | null): void {
  if (cutSeconds === null || ms === null) return assert.equal(cutSeconds, ms)
  assert.ok(Math.abs(cutSeconds - ms / 1000) < 1.000001 && cutSeconds <= ms / 1000 + 1e-6, `${cutSeconds} of ${ms} ms`)
}

test('metrics are what plodding through any history finds', () => {
  fc.assert(
    fc.property(runs, (all) => {
      const found = metricsOf(runsOf(all), 'all')
      const { mean, median, p95, deviation, min, max, ...exact } = plodding(all)
      const { total, successful, failed, canceled, credits, mttr, recoveries } = found
      assert.deepEqual(
        { total, successful, failed, canceled, throughput: found.throughput, credits, mttr, recoveries },
        exact,
      )
      assert.deepEqual([found.durations.min, found.durations.max], [min, max])
      near(found.durations.mean, mean)
      near(found.durations.median, median)
      near(found.durations.p95, p95)
      near(found.durations.standardDeviation, deviation)
    }),
    { numRuns: 500 },
  )
})

test('every run is in exactly one interval of a series, whatever the interval', () => {
  fc.assert(
    fc.property(runs, fc.constantFrom('daily' as const, 'hourly' as const), (all, granularity) => {
      const series = seriesOf(runsByBranch(runsOf(all)), granularity)
      assert.equal(
        series.reduce((sum, { total }) => sum + total, 0),
        all.length,
      )
      const length = granularity === 'daily' ? dayMs : 3_600_000
      for (const { at, firstStart } of series)
        assert.ok(at % length === 0 && firstStart >= at && firstStart < at + length)
    }),
    { numRuns: 200 },
  )
})
