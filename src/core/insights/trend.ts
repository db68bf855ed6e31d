import { percentile, seconds, sorted } from './durations.ts'
import type { Run } from './run.ts'

/** What stands for a trend that cannot be told: there was nothing before. */
export const infinite = -1

/** Now over before: 1 means no change. Nothing, before or now, counts as 0. */
export function trend(now: number | null, before: number | null): number {
  const divisor = before ?? 0
  return divisor === 0 ? infinite : (now ?? 0) / divisor
}

/** What the 95th percentile and the median of a window are compared with. */
export interface Benchmark {
  readonly p95: number | null
  readonly median: number | null
}

/** Of the intervals (days, or hours) of the window before: the worst 95th percentile, and the median of the medians (§4.2). */
export function benchmarkOf(runs: readonly Run[], intervalMs: number): Benchmark {
  const intervals = new Map<number, number[]>()
  for (const { started, duration } of runs) {
    if (duration === null) continue
    const at = Math.floor(started / intervalMs)
    const values = intervals.get(at)
    if (values) values.push(duration)
    else intervals.set(at, [duration])
  }
  if (intervals.size === 0) return { p95: null, median: null }
  const each = [...intervals.values()].map(sorted)
  return {
    p95: seconds(Math.max(...each.map((values) => percentile(values, 0.95)))),
    median: seconds(percentile(sorted(each.map((values) => percentile(values, 0.5))), 0.5)),
  }
}
