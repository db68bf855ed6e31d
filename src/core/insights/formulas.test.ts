import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationsOf, sorted } from './durations.ts'
import { flakyTests } from './flaky.ts'
import { metricsOf, throughput } from './metrics.ts'
import { gatherJobs } from './jobs.ts'
import { recoveryOf } from './recovery.ts'
import { countedAs, type Run, type RunStatus } from './run.ts'
import { runsOf } from './runs.ts'
import { seriesOf } from './series.ts'
import { countEndings, gatherTests, mostFailed, slowest, testSuccessRate } from './tested.ts'
import { benchmarkOf, trend } from './trend.ts'
import { gatherWaiting } from './waiting.ts'
import { dayMs, hourMs, windowBefore, windowBetween, windowOf } from './window.ts'

const at = (text: string) => Date.parse(text)
const seconds = (...values: readonly number[]) => durationsOf(sorted(values.map((value) => value * 1000)))

/** `success 0 60`: how it ended, when it began and how long it took, in seconds; `main` unless a branch is named. */
function run(line: string): Run {
  const [status = '', start = '', took, branch = 'main'] = line.split(' ')
  const duration = took === undefined || took === '-' ? null : Number(took) * 1000
  return { status: status as RunStatus, started: Number(start) * 1000, duration, credits: 500, branch }
}

const runs = (...lines: readonly string[]) => runsOf(lines.map(run))

test('durations are as in the recorded samples: between neighbours, cut to whole seconds, deviation of a sample', () => {
  assert.deepEqual(seconds(78, 173, 178), {
    min: 78,
    mean: 143,
    median: 173,
    p95: 177,
    max: 178,
    standardDeviation: 56,
  })
  assert.deepEqual(seconds(16, 31, 36), { min: 16, mean: 27, median: 31, p95: 35, max: 36, standardDeviation: 10 })
  assert.deepEqual(seconds(7), { min: 7, mean: 7, median: 7, p95: 7, max: 7, standardDeviation: 0 })
  assert.deepEqual(seconds(), { min: null, mean: null, median: null, p95: null, max: null, standardDeviation: null })
})

test('throughput is as in the recorded samples: whole days between the first run and the last, at least one', () => {
  assert.equal(throughput(82, 0, 6.2 * dayMs), 82 / 7)
  assert.equal(throughput(3, 0, 18.5 * dayMs), 3 / 19)
  assert.equal(throughput(1, 0, 0), 1)
  assert.equal(throughput(4, 0, 7 * dayMs), 4 / 7)
})

test('the success rate is that of all runs, also of those that still run, or of those that were not canceled', () => {
  const all = runs('success 0 1', 'failed 1 1', 'canceled 2 1', 'open 3')
  assert.deepEqual(
    [
      metricsOf(all, 'all').successRate,
      metricsOf(all, 'not-canceled').successRate,
      metricsOf(runs(), 'all').successRate,
    ],
    [0.25, 1 / 3, 0],
  )
  assert.equal(metricsOf(runs('canceled 0 1'), 'not-canceled').successRate, 0)
  const vendor = [
    ...Array.from({ length: 49 }, () => run('success 0 1')),
    ...Array.from({ length: 33 }, () => run('failed 0 1')),
  ]
  assert.equal(metricsOf(runsOf(vendor), 'all').successRate.toFixed(10), '0.5975609756')
})

test('runs that have not ended count, but take no time', () => {
  const { total, successful, durations, window, credits } = metricsOf(runs('open 30', 'success 10 20'), 'all')
  assert.deepEqual([total, successful, durations.max, window, credits], [2, 1, 20, { start: 10_000, end: 30_000 }, 1])
  const none = metricsOf(runs(), 'all')
  assert.deepEqual([none.total, none.throughput, none.window, none.mttr], [0, 0, undefined, null])
})

test('a failure recovers with the next success of its own branch, once', () => {
  const all = runs(
    'failed 0 10',
    'failed 20 10',
    'success 25 1 other',
    'canceled 30 1',
    'success 40 20',
    'failed 70 10',
    'open 80',
  )
  // From the end of the first failure (10) to the end of the success (60).
  assert.deepEqual(recoveryOf(all), { failures: 2, recoveries: 1, time: 50_000 })
  assert.deepEqual([metricsOf(all, 'all').mttr, metricsOf(runs('failed 0 1'), 'all').mttr], [50, null])
})

test('a trend is now over before, and -1 where before was nothing', () => {
  assert.deepEqual(
    [trend(6, 3), trend(3, 3), trend(0, 5), trend(5, 0), trend(null, 5), trend(5, null)],
    [2, 1, 0, -1, 0, -1],
  )
})

test('percentiles are compared with the worst day of the window before, medians with the median of its days', () => {
  const day = dayMs / 1000
  const all = runs('success 0 10', 'success 1 20', `success ${day} 100`, `success ${2 * day} 30`, 'open 3')
  assert.deepEqual(benchmarkOf(all, dayMs), { p95: 100, median: 30 })
  assert.deepEqual(benchmarkOf(runs(), dayMs), { p95: null, median: null })
})

test('windows end now, and only short ones have one before', () => {
  const now = at('2026-03-10T12:00:00Z')
  assert.deepEqual(windowOf('last-7-days', now), { from: at('2026-03-03T12:00:00Z'), to: now + 1 })
  assert.deepEqual(windowBefore('last-24-hours', now), { from: now - 2 * dayMs, to: now - dayMs })
  assert.deepEqual([windowBefore('last-60-days', now), windowBefore('last-90-days', now)], [undefined, undefined])
  assert.deepEqual(windowBetween(undefined, undefined, now, 48 * hourMs), { from: now - 2 * dayMs, to: now + 1 })
})

test('days have 24 hours, also those on which clocks are changed', () => {
  // In Europe the night of 29 March 2026 is short, that of 25 October long.
  for (const morning of ['2026-03-29', '2026-10-25']) {
    const all = [0, 1, 2, 3, 22, 23].map((hour) =>
      run(`success ${at(`${morning}T${String(hour).padStart(2, '0')}:30:00Z`) / 1000} 1`),
    )
    const build = new Map([['build', runsOf(all)]])
    assert.deepEqual(
      seriesOf(build, 'daily').map(({ at: begin, total }) => [begin, total]),
      [[at(`${morning}T00:00:00Z`), 6]],
    )
    assert.equal(seriesOf(build, 'hourly').length, 6)
  }
})

test('a series has an item for each name and interval, newest first', () => {
  const items = seriesOf(
    [
      ['b', runs('success 10 60')],
      ['none', runs()],
      ['a', runs('failed 20 30', 'success 30 90', 'open 3700')],
    ],
    'hourly',
  )
  assert.deepEqual(
    items.map((item) => [item.name, item.at, item.total, item.failed, item.durations.total, item.lastEnd]),
    [
      ['a', 3_600_000, 1, 0, null, 3_700_000],
      ['a', 0, 2, 1, 120, 120_000],
      ['b', 0, 1, 0, 60, 70_000],
    ],
  )
})

test('a test is flaky from its flake on for two weeks, and each flake begins them anew', () => {
  const failure = (test: string, day: number, before: number | null, later: number | null) => ({
    test,
    at: day * dayMs,
    passedBefore: before === null ? null : before * dayMs,
    passedAfter: later === null ? null : later * dayMs,
    runTime: 1.6,
  })
  const failures = [
    failure('twice', 1, 0, null),
    failure('twice', 10, null, 12),
    failure('only fails', 5, null, null),
    failure('passed too late', 0, null, 15),
    failure('long ago', 0, 0, null),
  ]
  const names = (day: number) =>
    flakyTests(failures, day * dayMs).map(({ test, times, timeWasted }) => `${test} ${times} ${timeWasted}`)
  assert.deepEqual([names(13), names(26), names(27)], [['twice 2 3', 'long ago 1 1'], ['twice 2 3'], []])
})

test('tests are told by how often they failed and how long they take, and how many more are as bad', () => {
  const tests = gatherTests<string>()
  for (let i = 0; i < 12; i += 1) {
    tests.add(`t${i}`, () => `t${i}`, i === 0 ? 'success' : 'failure', i === 1 ? 9 : 1)
    tests.add(`t${i}`, () => `t${i}`, 'success', 1)
  }
  const failed = mostFailed(tests.all())
  assert.deepEqual([failed.shown.length, failed.extra, failed.shown.every(({ failed: of }) => of === 1)], [10, 1, true])
  const slow = slowest(tests.all())
  assert.deepEqual([slow.shown[0]?.test, slow.shown[0]?.p95.toFixed(1), slow.extra], ['t1', '8.6', 2])
  // Recorded: 73 passed, 2 were skipped, 77 in all, and the rate is 1.
  const counts = countEndings([
    ['success', 73],
    ['skipped', 2],
    ['unknown', 2],
  ])
  assert.deepEqual([counts.total, testSuccessRate(counts), testSuccessRate(countEndings([]))], [77, 1, 0])
})

test('waiting is told by resource class, work by the hour and by job', () => {
  const waiting = gatherWaiting({ from: 0, to: dayMs })
  /** `a medium 0 1.5 100 1`: its name and class, when it began and how long it took in hours, what it waited, and its nodes. */
  const jobs = (...lines: readonly string[]) => {
    const gathering = gatherJobs()
    for (const line of lines) {
      const [name = '', resourceClass = '', start, took, waited, nodes] = line.split(' ')
      gathering.addRun(Number(start) * hourMs, Number(took) * hourMs, 0, 0, gathering.branchAt('main'))
      gathering.addJob(gathering.nameAt(name), Number(waited), gathering.classAt(resourceClass), Number(nodes))
    }
    return gathering.all()
  }
  waiting.add('main', jobs('a medium 1 1 300 1', 'a medium 0 1.5 100 1', 'b large 0.5 0.5 10 4', 'c large 2 never 0 1'))
  waiting.add('other', jobs('a medium 1 2 500 1'))
  const { queue, busy, longest } = waiting.all()
  assert.deepEqual(
    queue.map((of) => [of.resourceClass, of.jobs, of.waited.median, of.waited.max, of.running / hourMs]),
    [
      ['medium', 3, 300, 500, 4.5],
      ['large', 1, 10, 10, 2],
    ],
  )
  assert.deepEqual(
    busy.map(({ at: begin, agents }) => [begin / hourMs, agents]),
    [
      [0, 3],
      [1, 2.5],
      [2, 1],
    ],
  )
  assert.deepEqual(
    longest.map(({ workflow, name, runs: count, took }) => [workflow, name, count, took.total / hourMs]),
    [
      ['main', 'a', 2, 2.5],
      ['other', 'a', 1, 2],
      ['main', 'b', 1, 0.5],
    ],
  )
})

test('every status of a workflow or a job is counted as one of insights', () => {
  assert.deepEqual(
    [
      'success',
      'failed',
      'timedout',
      'infrastructure_fail',
      'retried',
      'error',
      'canceled',
      'unauthorized',
      'not_run',
      'running',
    ].map(countedAs),
    ['success', 'failed', 'failed', 'error', 'error', 'error', 'canceled', 'unauthorized', 'canceled', 'open'],
  )
})
