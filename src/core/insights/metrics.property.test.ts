import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { ploddingBenchmark, ploddingMetrics, secondsAt, timesOf } from '#test/plodding.ts'
import { metricsOf } from './metrics.ts'
import type { Run, RunStatus } from './run.ts'
import { runsByBranch, runsOf } from './runs.ts'
import { seriesOf } from './series.ts'
import { benchmarkOf } from './trend.ts'
import { dayMs, hourMs } from './window.ts'

const statuses: readonly RunStatus[] = ['success', 'failed', 'error', 'canceled', 'unauthorized', 'open']
const begin = 1_700_000_000_000

/** What durations of a history are multiples of: seconds, where a rounded fraction shows, anything, and days. */
const units = fc.constantFrom(1, 97, 1000, 1000, 100_003_000)

const histories = fc.uniqueArray(
  fc.record({
    // Often on the border of a day.
    started: fc.oneof(
      fc.integer({ min: begin, max: begin + 20 * dayMs }),
      fc.integer({ min: 0, max: 20 }).map((days) => (Math.ceil(begin / dayMs) + days) * dayMs),
    ),
    took: fc.integer({ min: 0, max: 100 }),
    status: fc.constantFrom(...statuses),
    credits: fc.integer({ min: 0, max: 100_000 }),
    branch: fc.constantFrom('main', 'other', ''),
  }),
  { selector: ({ started }) => started, maxLength: 60 },
)
const runs = fc
  .tuple(histories, units)
  .map(([all, unit]): readonly Run[] =>
    all.map(({ took, ...rest }) => ({ ...rest, duration: rest.status === 'open' ? null : took * unit })),
  )

test('metrics are exactly what plodding through any history finds, by both rules', () => {
  fc.assert(
    fc.property(runs, fc.constantFrom('all' as const, 'not-canceled' as const), (all, rule) => {
      assert.deepEqual(metricsOf(runsOf(all), rule), ploddingMetrics(all, rule))
    }),
    { numRuns: 500 },
  )
})

test('what a window is compared with is exactly what plodding through its days or hours finds', () => {
  fc.assert(
    fc.property(runs, fc.constantFrom(dayMs, hourMs), (all, interval) => {
      assert.deepEqual(benchmarkOf(runsOf(all), interval), ploddingBenchmark(all, interval))
    }),
    { numRuns: 300 },
  )
})

test('every run is in exactly one interval of a series, and each tells what its runs come to', () => {
  fc.assert(
    fc.property(runs, fc.constantFrom('daily' as const, 'hourly' as const), (all, granularity) => {
      const length = granularity === 'daily' ? dayMs : hourMs
      const told = seriesOf(runsByBranch(runsOf(all)), granularity).map(
        ({ name, at, total, firstStart, durations }) => ({ name, at, total, firstStart, durations }),
      )
      const parts = Object.entries(
        Object.groupBy(all, ({ branch, started }) => `${branch} ${Math.floor(started / length) * length}`),
      ).map(([key, part = []]) => {
        const times = timesOf(part)
        const metrics = ploddingMetrics(part, 'all')
        return {
          name: key.slice(0, key.indexOf(' ')),
          at: Number(key.slice(key.indexOf(' ') + 1)),
          total: part.length,
          firstStart: metrics.window?.start,
          durations: {
            min: metrics.durations.min,
            median: secondsAt(times, 50n),
            max: metrics.durations.max,
            p95: secondsAt(times, 95n),
            total: times.length === 0 ? null : metrics.totalSeconds,
          },
        }
      })
      assert.deepEqual(
        told,
        parts.toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)),
      )
    }),
    { numRuns: 200 },
  )
})
