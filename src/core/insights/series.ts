import { percentile, seconds, sorted } from './durations.ts'
import { type Counts, countsOf, wholeCredits } from './metrics.ts'
import type { Run } from './run.ts'
import { dayMs, hourMs } from './window.ts'

/** How finely a series is cut. Days are those of UTC, so that each has 24 hours. */
export type Granularity = 'daily' | 'hourly'

/** What the runs of one name come to in one interval. */
export interface Interval extends Counts {
  readonly name: string
  /** When the interval begins. */
  readonly at: number
  readonly firstStart: number
  readonly lastEnd: number
  readonly throughput: number
  readonly medianCredits: number
  readonly credits: number
  readonly durations: {
    readonly min: number | null
    readonly median: number | null
    readonly max: number | null
    readonly p95: number | null
    readonly total: number | null
  }
}

/** One item for each name and interval in which something ran; newest first, then by name. */
export function seriesOf(
  runs: Iterable<readonly [name: string, run: Run]>,
  granularity: Granularity,
): readonly Interval[] {
  const length = granularity === 'daily' ? dayMs : hourMs
  const groups = new Map<string, { name: string; at: number; runs: Run[] }>()
  for (const [name, run] of runs) {
    const at = Math.floor(run.started / length) * length
    const key = `${at} ${name}`
    const group = groups.get(key)
    if (group) group.runs.push(run)
    else groups.set(key, { name, at, runs: [run] })
  }
  return [...groups.values()]
    .toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
    .map((group) => intervalOf(group.name, group.at, group.runs))
}

function intervalOf(name: string, at: number, runs: readonly Run[]): Interval {
  const values = sorted(runs.flatMap(({ duration }) => (duration === null ? [] : [duration])))
  const credits = sorted(runs.map((run) => run.credits))
  const none = values.length === 0
  const counts = countsOf(runs)
  return {
    name,
    at,
    ...counts,
    firstStart: runs.reduce((least, { started }) => Math.min(least, started), Number.POSITIVE_INFINITY),
    lastEnd: runs.reduce((most, { started, duration }) => Math.max(most, started + (duration ?? 0)), 0),
    // An interval is at most a day, and less than a day counts as one.
    throughput: counts.total,
    medianCredits: wholeCredits(percentile(credits, 0.5)),
    credits: wholeCredits(credits.reduce((sum, value) => sum + value, 0)),
    durations: {
      min: none ? null : seconds(values[0] ?? 0),
      median: none ? null : seconds(percentile(values, 0.5)),
      max: none ? null : seconds(values.at(-1) ?? 0),
      p95: none ? null : seconds(percentile(values, 0.95)),
      total: none ? null : seconds(values.reduce((sum, value) => sum + value, 0)),
    },
  }
}
