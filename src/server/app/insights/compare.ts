import { type Metrics, metricsOf, type RateRule, type Sums, sumsOf } from '#core/insights/metrics.ts'
import type { Runs } from '#core/insights/runs.ts'
import type { Totals } from '#core/insights/totals.ts'
import { benchmarkOf, trend } from '#core/insights/trend.ts'
import { intervalOf, type WindowName } from '#core/insights/window.ts'

/** What sums of a window are over those of the window before. */
export interface SumTrends {
  readonly runs: number
  readonly failed: number
  readonly successRate: number
  readonly seconds: number
  readonly credits: number
  readonly throughput: number
}

export interface Trends extends SumTrends {
  readonly mttr: number
  readonly p95: number
  readonly median: number
}

/** Sums of a window, compared. */
export interface ComparedSums {
  readonly metrics: Sums
  readonly trends: SumTrends
}

/** Numbers of a window, compared. */
export interface Compared {
  readonly metrics: Metrics
  readonly trends: Trends
}

/** Something now, and the same of the window before where that is looked at. */
export interface Two<T> {
  readonly now: T
  readonly before: T | undefined
}

/** Longer windows have no trend. */
const steadySums: SumTrends = { runs: 1, failed: 1, successRate: 1, seconds: 1, credits: 1, throughput: 1 }
const steady: Trends = { ...steadySums, mttr: 1, p95: 1, median: 1 }

const trendsOf = (now: Sums, old: Sums): SumTrends => ({
  runs: trend(now.total, old.total),
  failed: trend(now.failed, old.failed),
  successRate: trend(now.successRate, old.successRate),
  seconds: trend(now.totalSeconds, old.totalSeconds),
  credits: trend(now.credits, old.credits),
  throughput: trend(now.throughput, old.throughput),
})

/** What the totals of two windows come to. */
export function compareTotals({ now, before }: Two<Totals>, rule: RateRule): ComparedSums {
  const metrics = sumsOf(now, rule)
  return { metrics, trends: before ? trendsOf(metrics, sumsOf(before, rule)) : steadySums }
}

/** What the runs of two windows come to. */
export function compareRuns({ now, before }: Two<Runs>, rule: RateRule, window: WindowName): Compared {
  const metrics = metricsOf(now, rule)
  if (!before) return { metrics, trends: steady }
  const old = metricsOf(before, rule)
  const benchmark = benchmarkOf(before, intervalOf(window))
  return {
    metrics,
    trends: {
      ...trendsOf(metrics, old),
      mttr: trend(metrics.mttr, old.mttr),
      p95: trend(metrics.durations.p95, benchmark.p95),
      median: trend(metrics.durations.median, benchmark.median),
    },
  }
}
