import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeIn } from '#kit/brand.ts'
import { durationsOf, sorted } from './durations.ts'
import { flakyTests } from './flaky.ts'
import { metricsOf } from './metrics.ts'
import type { Run, RunStatus } from './run.ts'
import { runsOf } from './runs.ts'
import { seriesOf } from './series.ts'
import { gatherTests } from './tested.ts'
import { benchmarkOf, trend } from './trend.ts'
import { dayMs, hourMs, windowBefore, windowBetween, windowOf } from './window.ts'

/*
 * Tables that were worked by hand, with the working beside them. What they tell must not depend on how the service counts.
 */

const seconds = (...values: readonly number[]) => durationsOf(sorted(values.map((value) => value * 1000)))

/** `Mo 10:00 success 60 main`: when it began in the week of Monday, 5 January 2026, how it ended, its seconds, its branch. */
function run(line: string): Run {
  const [day = '', clock = '', status = '', took = '-', branch = 'main'] = line.split(' ')
  const date = 5 + ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].indexOf(day)
  const started = Date.parse(`2026-01-${String(date).padStart(2, '0')}T${clock}:00Z`)
  return {
    started,
    status: status as RunStatus,
    duration: took === '-' ? null : Number(took) * 1000,
    credits: 0,
    branch,
  }
}

const at = (line: string): number => run(line).started

test('the 95th percentile of 0, 0 and 30 seconds is 27, and not a fraction below it', () => {
  // Its place is 0.95 x 2 = 1.90: nine tenths of the way from the second value, 0, to the third, 30.
  assert.equal(seconds(0, 0, 30).p95, 27)
  // 0.95 x 4 = 3.80: from 10 eight tenths of the way to 25 is 22. The median is the third value.
  assert.deepEqual([seconds(25, 0, 10, 5, 7).p95, seconds(25, 0, 10, 5, 7).median], [22, 7])
  // 0.95 x 1 = 0.95: 0.95 x 20 = 19. The median of two is between them: 10.
  assert.deepEqual([seconds(0, 20).p95, seconds(0, 20).median], [19, 10])
  // 0.95 x 20 = 19, a whole place: the twentieth of 21 values, 1 to 21, is 20; the median is the eleventh.
  const many = seconds(...Array.from({ length: 21 }, (_, i) => i + 1))
  assert.deepEqual([many.p95, many.median, many.mean], [20, 11, 11])
})

test('what is between two whole seconds is cut, never rounded', () => {
  // 1.999 + 1.999 = 3.998, halved 1.999: the mean and the median are cut to 1.
  assert.deepEqual(durationsOf(sorted([1_999, 1_999])), {
    min: 1,
    mean: 1,
    median: 1,
    p95: 1,
    max: 1,
    standardDeviation: 0,
  })
  // 1.998 and 2.003: sum 4.001, mean and median 2.0005, p95 1.998 + 0.95 x 0.005 = 2.00275.
  const { min, mean, median, p95, max } = durationsOf(sorted([2_003, 1_998]))
  assert.deepEqual([min, mean, median, p95, max], [1, 2, 2, 2, 2])
})

test('the deviation is that of a sample', () => {
  // Mean 5, squares 9+1+1+1+0+0+4+16 = 32, over 7 is 4.57, its root 2.14.
  assert.equal(seconds(2, 4, 4, 4, 5, 5, 7, 9).standardDeviation, 2)
  // Mean 2, squares 1+0+1 = 2, over 2 is 1: exactly 1.
  assert.equal(seconds(1, 2, 3).standardDeviation, 1)
  // Mean 30, squares 900+0+900, over 2 is 900: exactly 30.
  assert.equal(seconds(0, 30, 60).standardDeviation, 30)
  // 5,000,000 from the middle each: squares 5e13 in all, over 1; the root is 7,071,067.81.
  assert.equal(seconds(0, 10_000_000).standardDeviation, 7_071_067)
  assert.equal(seconds(12).standardDeviation, 0)
})

test('a week of a workflow comes to what a person finds', () => {
  const week = runsOf(
    [
      'Mo 10:00 success 100',
      'Mo 12:00 failed 60',
      'Mo 12:30 failed 50 other',
      'Tu 09:00 canceled 5',
      'Tu 10:00 failed 60',
      'Tu 12:00 success 120',
      'We 08:00 error 10',
      'Th 08:00 unauthorized 0',
      'Fr 11:00 success 40 other',
      'Fr 12:00 failed 30',
      'Sa 10:00 open -',
    ].map(run),
  )
  const metrics = metricsOf(week, 'all')
  // Monday 10:00 to Saturday 10:00 are 5 whole days: 11 runs in 5 days.
  assert.deepEqual([metrics.total, metrics.throughput], [11, 11 / 5])
  // Successes 3, failures 4, canceled 1; 3 of 11, and 3 of the 10 that were not canceled.
  assert.deepEqual([metrics.successful, metrics.failed, metrics.canceled], [3, 4, 1])
  assert.deepEqual([metrics.successRate, metricsOf(week, 'not-canceled').successRate], [3 / 11, 3 / 10])
  // main: broken on Monday 12:01:00, well on Tuesday 12:02:00: 24 h 1 min = 86,460 s. What failed between belongs to it; Friday's is open.
  // other: broken on Monday 12:30:50, well on Friday 11:00:40: 4 days less 1 h 30 min 10 s = 345,600 - 5,410 = 340,190 s.
  // (86,460 + 340,190) / 2 = 213,325.
  assert.deepEqual([metrics.recoveries, metrics.mttr], [2, 213_325])
  // Ten ended: 0 5 10 30 40 50 60 60 100 120, sum 475, mean 47.5. Median 0.5 x 9 = 4.5: between 40 and 50, 45.
  // p95 0.95 x 9 = 8.55: 100 + 0.55 x 20 = 111. Squares from 47.5: 2256.25 + 1806.25 + 1406.25 + 306.25 + 56.25 + 6.25 + 156.25 +
  // 156.25 + 2756.25 + 5256.25 = 14162.5, over 9 is 1573.6, its root 39.7.
  assert.deepEqual(metrics.durations, { min: 0, mean: 47, median: 45, p95: 111, max: 120, standardDeviation: 39 })
  assert.equal(metrics.totalSeconds, 475)
  assert.deepEqual(metrics.window, { start: at('Mo 10:00'), end: at('Sa 10:00') })
})

test('a millisecond more than whole days is a day more', () => {
  const spread = (ms: number) =>
    metricsOf(
      runsOf([run('Mo 00:00 success 1'), { ...run('Mo 00:00 success 1'), started: at('Mo 00:00') + ms }]),
      'all',
    )
  assert.deepEqual(
    [0, 1, dayMs, dayMs + 1, 2 * dayMs].map((ms) => spread(ms).throughput),
    [2, 2, 2, 1, 1],
  )
})

test('nothing, one run, and runs that only run', () => {
  const told = (...lines: readonly string[]) => {
    const { total, successRate, throughput, mttr, recoveries, durations, window } = metricsOf(
      runsOf(lines.map(run)),
      'all',
    )
    return [total, successRate, throughput, mttr, recoveries, durations.p95, durations.standardDeviation, window?.start]
  }
  assert.deepEqual(told(), [0, 0, 0, null, 0, null, null, undefined])
  assert.deepEqual(told('We 10:00 success 9'), [1, 1, 1, null, 0, 9, 0, at('We 10:00')])
  assert.deepEqual(told('We 10:00 failed 9'), [1, 0, 1, null, 0, 9, 0, at('We 10:00')])
  assert.deepEqual(told('We 10:00 open -'), [1, 0, 1, null, 0, null, null, at('We 10:00')])
  assert.deepEqual(told('We 10:00 canceled 3'), [1, 0, 1, null, 0, 3, 0, at('We 10:00')])
})

test('a rerun that succeeds recovers what failed, and one that began before the failure ended takes no time', () => {
  // Begins while the other still runs, and ends before it: the failure was over before it was known.
  const { mttr, recoveries } = metricsOf(runsOf(['Mo 10:00 failed 600', 'Mo 10:01 success 60'].map(run)), 'all')
  assert.deepEqual([recoveries, mttr], [1, 0])
})

test('a window before is measured by its days: the worst 95th percentile, and the median of the medians', () => {
  const before = runsOf(
    [
      // 10 and 20: p95 19.5, median 15.
      'Mo 00:00 success 10',
      'Mo 23:59 failed 20',
      // 40 alone: both 40.
      'Tu 00:00 success 40',
      // 0, 0, 30: p95 27, median 0. One that runs does not count.
      'We 10:00 success 0',
      'We 11:00 success 0',
      'We 12:00 canceled 30',
      'We 13:00 open -',
      // 16 alone.
      'Th 10:00 success 16',
    ].map(run),
  )
  // Medians 0, 15, 16, 40: between 15 and 16, cut to 15.
  assert.deepEqual(benchmarkOf(before, dayMs), { p95: 40, median: 15 })
  // By hours each stands alone: 0, 0, 10, 16, 20, 30, 40, whose median is the fourth.
  assert.deepEqual(benchmarkOf(before, hourMs), { p95: 40, median: 16 })
  assert.deepEqual(benchmarkOf(runsOf([run('Mo 10:00 open -')]), dayMs), { p95: null, median: null })
})

test('a trend is a ratio, and -1 where nothing can be divided by', () => {
  assert.deepEqual([trend(3, 2), trend(2, 3), trend(0, 2), trend(null, 2)], [1.5, 2 / 3, 0, 0])
  assert.deepEqual([trend(3, 0), trend(0, 0), trend(3, null), trend(null, null)], [-1, -1, -1, -1])
})

test('of two windows that meet, a run is in one: that which begins with it', () => {
  const now = at('Su 12:00')
  for (const name of ['last-24-hours', 'last-7-days', 'last-30-days'] as const) {
    const [window, before] = [windowOf(name, now), windowBefore(name, now)]
    assert.deepEqual([before?.to, before && before.to - before.from], [window.from, now - window.from])
    // What begins now belongs to it.
    assert.ok(now >= window.from && now < window.to)
  }
})

test('days and hours are those of UTC, whatever clocks do and whatever zone somebody asks in', () => {
  // Between 01:00 and 02:00 UTC on 29 March 2026 clocks in Europe go from 02:00 to 03:00.
  const spring = [run('Mo 00:00 success 1')].map((one) => ({ ...one, started: Date.parse('2026-03-29T01:30:00Z') }))
  assert.deepEqual(
    seriesOf([['build', runsOf(spring)]], 'hourly').map((item) => item.at),
    [Date.parse('2026-03-29T01:00:00Z')],
  )
  const now = at('Su 12:00')
  const [utc, zoned] = [
    windowBetween('2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z', now),
    windowBetween('2026-01-05T01:00:00+01:00', '2026-01-05T19:00:00-05:00', now),
  ]
  assert.deepEqual(zoned, utc)
})

test('a leap second is the second after it', () => {
  const year = Date.parse('2017-01-01T00:00:00Z')
  assert.deepEqual(
    ['2016-12-31T23:59:60Z', '2016-12-31t23:59:60.250z', '2017-01-01T00:59:60+01:00', '2017-01-01T00:00:60Z'].map(
      timeIn,
    ),
    [year, year + 250, year, year + 60_000],
  )
  assert.deepEqual(windowBetween('2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z', year), { from: year, to: year })
})

test('parts of seconds add up exactly: ten failures of a tenth of a second wasted one', () => {
  const failure = { test: 'one', at: 10 * dayMs, passedBefore: 9 * dayMs, passedAfter: null, runTime: 0.1 }
  const [flaky] = flakyTests(
    Array.from({ length: 10 }, () => failure),
    10 * dayMs,
  )
  assert.deepEqual([flaky?.times, flaky?.timeWasted], [10, 1])
  // 0.1 and 0.3: 0.1 + 0.95 x 0.2.
  const tests = gatherTests<string>()
  for (const took of [0.3, 0.1]) tests.add('one', () => 'one', 'success', took)
  assert.deepEqual(
    tests.all().map(({ p95 }) => p95),
    [0.29],
  )
})
