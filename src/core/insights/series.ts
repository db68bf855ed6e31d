import { ended, hundredthsAt, seconds, secondsOfHundredths } from './durations.ts'
import { wholeCredits } from './metrics.ts'
import { type Runs, sliceRuns } from './runs.ts'
import { type Counts, totalsOf } from './totals.ts'
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
export function seriesOf(named: Iterable<readonly [name: string, runs: Runs]>, granularity: Granularity) {
  const length = granularity === 'daily' ? dayMs : hourMs
  const items: Interval[] = []
  for (const [name, runs] of named) {
    const { started } = runs
    for (let from = 0; from < started.length;) {
      const at = Math.floor((started[from] ?? 0) / length) * length
      let to = from + 1
      while (to < started.length && (started[to] ?? 0) < at + length) to += 1
      items.push(intervalOf(name, at, sliceRuns(runs, from, to)))
      from = to
    }
  }
  return items.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)) as readonly Interval[]
}

function intervalOf(name: string, at: number, runs: Runs): Interval {
  const values = ended(runs.duration)
  const none = values.length === 0
  const { total, successful, failed, canceled, first, credits, time } = totalsOf(runs)
  let lastEnd = 0
  for (let i = 0; i < total; i += 1) lastEnd = Math.max(lastEnd, (runs.started[i] ?? 0) + (runs.duration[i] || 0))
  return {
    name,
    at,
    total,
    successful,
    failed,
    canceled,
    firstStart: first,
    lastEnd,
    // An interval is at most a day, and less than a day counts as one.
    throughput: total,
    medianCredits: wholeCredits(hundredthsAt(runs.credits.toSorted(), 50) / 100),
    credits: wholeCredits(credits),
    durations: {
      min: none ? null : seconds(values[0] ?? 0),
      median: none ? null : secondsOfHundredths(hundredthsAt(values, 50)),
      max: none ? null : seconds(values.at(-1) ?? 0),
      p95: none ? null : secondsOfHundredths(hundredthsAt(values, 95)),
      total: none ? null : seconds(time),
    },
  }
}
