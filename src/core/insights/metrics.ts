import { type Durations, durationsOf, seconds, sorted } from './durations.ts'
import { mttrOf, recoveryOf } from './recovery.ts'
import type { Run } from './run.ts'

/** By what a success rate is taken: of all runs, or of those that were not canceled (since 2024). */
export type RateRule = 'all' | 'not-canceled'

/** How often runs came, and how they ended. */
export interface Counts {
  readonly total: number
  readonly successful: number
  readonly failed: number
  readonly canceled: number
}

/** What runs in a window come to. */
export interface Metrics extends Counts {
  readonly successRate: number
  readonly throughput: number
  readonly credits: number
  readonly durations: Durations
  readonly totalSeconds: number
  readonly mttr: number | null
  readonly recoveries: number
  /** When the first and the last of them began; none where there is no run. */
  readonly window: { readonly start: number; readonly end: number } | undefined
}

const dayMs = 86_400_000

/** Whole credits. */
export const wholeCredits = (thousandths: number): number => Math.trunc(thousandths / 1000)

export function countsOf(runs: readonly Run[]): Counts {
  let [successful, failed, canceled] = [0, 0, 0]
  for (const { status } of runs) {
    if (status === 'success') successful += 1
    else if (status === 'failed') failed += 1
    else if (status === 'canceled') canceled += 1
  }
  return { total: runs.length, successful, failed, canceled }
}

/** From 0 to 1; 0 where there is nothing to divide by. */
export function successRate({ total, successful, canceled }: Counts, rule: RateRule): number {
  const of = rule === 'all' ? total : total - canceled
  return of === 0 ? 0 : successful / of
}

/** Runs a day, between the first and the last of them: at least one day, and whole ones (§4.2). */
export const throughput = (total: number, start: number, end: number): number =>
  total / Math.max(1, Math.ceil((end - start) / dayMs))

/** Everything that is told about the runs of a window. */
export function metricsOf(runs: readonly Run[], rule: RateRule): Metrics {
  const ordered = runs.toSorted((a, b) => a.started - b.started)
  const counts = countsOf(ordered)
  const [first, last] = [ordered[0], ordered.at(-1)]
  const window = first && last && { start: first.started, end: last.started }
  const ended: number[] = []
  let [credits, time] = [0, 0]
  for (const run of ordered) {
    credits += run.credits
    if (run.duration === null) continue
    ended.push(run.duration)
    time += run.duration
  }
  const recovery = recoveryOf(ordered)
  return {
    ...counts,
    successRate: successRate(counts, rule),
    throughput: window ? throughput(counts.total, window.start, window.end) : 0,
    credits: wholeCredits(credits),
    durations: durationsOf(sorted(ended)),
    totalSeconds: seconds(time),
    mttr: mttrOf(recovery),
    recoveries: recovery.recoveries,
    window,
  }
}
