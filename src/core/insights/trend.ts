import { growing } from './columns.ts'
import { ended, hundredthsAt, secondsOfHundredths } from './durations.ts'
import type { Runs } from './runs.ts'

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
export function benchmarkOf({ started, duration }: Runs, intervalMs: number): Benchmark {
  const [worst, medians] = [growing(), growing()]
  for (let from = 0; from < started.length;) {
    const end = (Math.floor((started[from] ?? 0) / intervalMs) + 1) * intervalMs
    let to = from + 1
    while (to < started.length && (started[to] ?? 0) < end) to += 1
    const values = ended(duration.subarray(from, to))
    if (values.length > 0) {
      worst.push(hundredthsAt(values, 95))
      medians.push(hundredthsAt(values, 50))
    }
    from = to
  }
  if (worst.all().length === 0) return { p95: null, median: null }
  return {
    p95: secondsOfHundredths(worst.all().reduce((most, value) => Math.max(most, value))),
    // Hundredths of hundredths: cut once, at the end.
    median: secondsOfHundredths(hundredthsAt(medians.all().sort(), 50) / 100),
  }
}
