import type { Run, RunStatus } from '#core/insights/run.ts'

/*
 * What insights tell, found in the most plodding way: from lists of runs, in whole numbers of any size, and with nothing of what the
 * service itself counts with. Slow, and hard to get wrong.
 */

const day = 86_400_000

/** Whole seconds of a fraction of milliseconds. */
const cut = (above: bigint, below = 1n): number => Number(above / (below * 1000n))

const inOrder = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)

/** The value at so many hundredths of the way through values, as a fraction over `below`. */
function shareOf(values: readonly bigint[], percent: bigint): { readonly above: bigint; readonly below: bigint } {
  const ordered = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const way = BigInt(ordered.length - 1) * percent
  const [low, high] = [ordered[Number(way / 100n)] ?? 0n, ordered[Number((way + 99n) / 100n)] ?? 0n]
  return { above: low * 100n + (high - low) * (way % 100n), below: 100n }
}

/** The largest whole number of seconds whose square is not above a variance of milliseconds. */
function rootSeconds(above: bigint, below: bigint): number {
  let [low, high] = [0n, 1n << 40n]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (middle * middle * 1_000_000n * below <= above) low = middle
    else high = middle - 1n
  }
  return Number(low)
}

export const timesOf = (all: readonly Run[]): readonly number[] =>
  inOrder(all.flatMap(({ duration }) => (duration === null ? [] : [duration])))

/** The percentile of durations in whole seconds. */
export function secondsAt(times: readonly number[], percent: bigint): number | null {
  if (times.length === 0) return null
  const { above, below } = shareOf(times.map(BigInt), percent)
  return cut(above, below)
}

function ploddingDurations(all: readonly Run[]) {
  const times = timesOf(all).map(BigInt)
  const count = BigInt(times.length)
  const sum = times.reduce((total, value) => total + value, 0n)
  // (Σ(x - S/n)²) / (n - 1), with everything multiplied by n².
  const apart = times.reduce((total, value) => total + (count * value - sum) ** 2n, 0n)
  if (count === 0n) return { min: null, mean: null, median: null, p95: null, max: null, standardDeviation: null }
  return {
    min: cut(times[0] ?? 0n),
    mean: cut(sum, count),
    median: secondsAt(timesOf(all), 50n),
    p95: secondsAt(timesOf(all), 95n),
    max: cut(times.at(-1) ?? 0n),
    standardDeviation: count === 1n ? 0 : rootSeconds(apart, count * count * (count - 1n)),
  }
}

function ploddingRecovery(all: readonly Run[]) {
  let [recoveries, time] = [0, 0n]
  for (const branch of new Set(all.map((run) => run.branch))) {
    const decided = all
      .filter((run) => run.branch === branch && (run.status === 'success' || run.status === 'failed'))
      .toSorted((a, b) => a.started - b.started)
    for (const [i, good] of decided.entries()) {
      if (good.status !== 'success' || decided[i - 1]?.status !== 'failed') continue
      let first = i - 1
      while (decided[first - 1]?.status === 'failed') first -= 1
      const bad = decided[first]
      recoveries += 1
      const took = good.started + (good.duration ?? 0) - (bad?.started ?? 0) - (bad?.duration ?? 0)
      time += BigInt(Math.max(0, took))
    }
  }
  return { recoveries, mttr: recoveries === 0 ? null : cut(time, BigInt(recoveries)) }
}

/** What can be added up. */
export function ploddingSums(all: readonly Run[], rule: 'all' | 'not-canceled') {
  const count = (status: RunStatus) => all.filter((run) => run.status === status).length
  const [total, successful, canceled] = [all.length, count('success'), count('canceled')]
  const starts = inOrder(all.map(({ started }) => started))
  const [first = 0, last = 0] = [starts[0], starts.at(-1)]
  let days = 1
  while (days * day < last - first) days += 1
  const of = rule === 'all' ? total : total - canceled
  return {
    total,
    successful,
    failed: count('failed'),
    canceled,
    successRate: of === 0 ? 0 : successful / of,
    throughput: total / days,
    credits: Number(all.reduce((sum, { credits }) => sum + BigInt(credits), 0n) / 1000n),
    totalSeconds: cut(timesOf(all).reduce((sum, value) => sum + BigInt(value), 0n)),
    window: total === 0 ? undefined : { start: first, end: last },
  }
}

/** Everything that is told about the runs of a window. */
export const ploddingMetrics = (all: readonly Run[], rule: 'all' | 'not-canceled') => ({
  ...ploddingSums(all, rule),
  durations: ploddingDurations(all),
  ...ploddingRecovery(all),
})

/** With what the percentile and the median of a window are compared: the days or hours before, each by itself. */
export function ploddingBenchmark(before: readonly Run[], interval: number) {
  const parts = [...Map.groupBy(before, ({ started }) => Math.floor(started / interval)).values()]
  const times = parts.map((part) => timesOf(part).map(BigInt)).filter(({ length }) => length > 0)
  if (times.length === 0) return { p95: null, median: null }
  const worst = times.map((part) => shareOf(part, 95n).above).reduce((most, value) => (value > most ? value : most))
  const middle = shareOf(
    times.map((part) => shareOf(part, 50n).above),
    50n,
  )
  return { p95: cut(worst, 100n), median: cut(middle.above, 100n * middle.below) }
}

const over = (now: number | null, before: number | null): number =>
  before === null || before === 0 ? -1 : (now ?? 0) / before

/** Sums now over sums before. */
export function ploddingSumTrends(now: readonly Run[], before: readonly Run[], rule: 'all' | 'not-canceled') {
  const [a, b] = [ploddingSums(now, rule), ploddingSums(before, rule)]
  return {
    runs: over(a.total, b.total),
    failed: over(a.failed, b.failed),
    successRate: over(a.successRate, b.successRate),
    seconds: over(a.totalSeconds, b.totalSeconds),
    credits: over(a.credits, b.credits),
    throughput: over(a.throughput, b.throughput),
  }
}

/** Everything now over everything before. */
export function ploddingTrends(
  now: readonly Run[],
  before: readonly Run[],
  rule: 'all' | 'not-canceled',
  interval: number,
) {
  const [a, b] = [ploddingMetrics(now, rule), ploddingMetrics(before, rule)]
  const benchmark = ploddingBenchmark(before, interval)
  return {
    ...ploddingSumTrends(now, before, rule),
    mttr: over(a.mttr, b.mttr),
    p95: over(a.durations.p95, benchmark.p95),
    median: over(a.durations.median, benchmark.median),
  }
}
