import { type Durations, durationsOf, ended, seconds } from './durations.ts'
import { mttrOf, recoveryOf } from './recovery.ts'
import type { Runs } from './runs.ts'
import { type Counts, type Totals, totalsOf } from './totals.ts'
import { dayMs } from './window.ts'

/** By what a success rate is taken: of all runs, or of those that were not canceled (since 2024). */
export type RateRule = 'all' | 'not-canceled'

/** What sums are told of, whatever they are sums of. */
export interface Sums extends Counts {
  readonly successRate: number
  readonly throughput: number
  readonly credits: number
  readonly totalSeconds: number
  /** When the first and the last of them began; none where there is no run. */
  readonly window: { readonly start: number; readonly end: number } | undefined
}

/** What runs in a window come to. */
export interface Metrics extends Sums {
  readonly durations: Durations
  readonly mttr: number | null
  readonly recoveries: number
}

/** Whole credits. */
export const wholeCredits = (thousandths: number): number => Math.trunc(thousandths / 1000)

/** From 0 to 1; 0 where there is nothing to divide by. */
export function successRate({ total, successful, canceled }: Counts, rule: RateRule): number {
  const of = rule === 'all' ? total : total - canceled
  return of === 0 ? 0 : successful / of
}

/** Runs a day, between the first and the last of them: at least one day, and whole ones (§4.2). */
export const throughput = (total: number, start: number, end: number): number =>
  total / Math.max(1, Math.ceil((end - start) / dayMs))

/** What is told of totals. */
export function sumsOf(totals: Totals, rule: RateRule): Sums {
  const { total, successful, failed, canceled, first, last } = totals
  return {
    total,
    successful,
    failed,
    canceled,
    successRate: successRate(totals, rule),
    throughput: total === 0 ? 0 : throughput(total, first, last),
    credits: wholeCredits(totals.credits),
    totalSeconds: seconds(totals.time),
    window: total === 0 ? undefined : { start: first, end: last },
  }
}

/** Everything that is told about the runs of a window. */
export function metricsOf(runs: Runs, rule: RateRule): Metrics {
  const recovery = recoveryOf(runs)
  return {
    ...sumsOf(totalsOf(runs), rule),
    durations: durationsOf(ended(runs.duration)),
    mttr: mttrOf(recovery),
    recoveries: recovery.recoveries,
  }
}
