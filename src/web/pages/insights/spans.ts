import type { WorkflowRun } from '#contract/v2/metrics.ts'

const hour = 3_600_000
const day = 24 * hour

/** How far back each window goes. */
export const windowMs = {
  'last-24-hours': day,
  'last-7-days': 7 * day,
  'last-30-days': 30 * day,
  'last-60-days': 60 * day,
  'last-90-days': 90 * day,
} as const

/** What each window is called. */
export const windowNames: Readonly<Record<keyof typeof windowMs, string>> = {
  'last-24-hours': '24 hours',
  'last-7-days': '7 days',
  'last-30-days': '30 days',
  'last-60-days': '60 days',
  'last-90-days': '90 days',
}

/** What the runs of one day or hour come to; durations in seconds, of runs that were not canceled. */
export interface Span {
  /** When it begins, in milliseconds. */
  readonly from: number
  readonly runs: number
  readonly failed: number
  /** Of those that succeeded or failed; nothing where there were none. */
  readonly success: number | undefined
  readonly median: number | undefined
  readonly p95: number | undefined
}

/** Puts runs together by days, or by hours within a single one: every span of the window is there, also an empty one. */
export function spansOf(runs: readonly WorkflowRun[], window: keyof typeof windowMs, now: number): readonly Span[] {
  const found = new Map<number, WorkflowRun[]>(spanStarts(window, now).map((at) => [at, []]))
  for (const run of runs) found.get(spanStart(window, Date.parse(run.created_at)))?.push(run)
  return [...found].map(([from, list]) => spanOf(from, list))
}

const sizeOf = (window: keyof typeof windowMs): number => (window === 'last-24-hours' ? hour : day)

/** When the day or hour of a moment begins, in milliseconds. */
export const spanStart = (window: keyof typeof windowMs, at: number): number =>
  Math.floor(at / sizeOf(window)) * sizeOf(window)

/** When each day or hour of a window begins, oldest first: a chart shows also those in which nothing happened. */
export function spanStarts(window: keyof typeof windowMs, now: number): readonly number[] {
  const size = sizeOf(window)
  const first = spanStart(window, now - windowMs[window]) + size
  return Array.from({ length: Math.floor((now - first) / size) + 1 }, (_, i) => first + i * size)
}

function spanOf(from: number, runs: readonly WorkflowRun[]): Span {
  const failed = runs.filter(({ status }) => status === 'failed' || status === 'error').length
  const good = runs.filter(({ status }) => status === 'success').length
  const durations = runs
    .filter(({ status }) => status !== 'canceled')
    .map(({ duration }) => duration)
    .toSorted((a, b) => a - b)
  return {
    from,
    runs: runs.length,
    failed,
    success: good + failed === 0 ? undefined : good / (good + failed),
    median: percentile(durations, 0.5),
    p95: percentile(durations, 0.95),
  }
}

/** Between the two nearest of sorted values; nothing of none. */
export function percentile(sorted: readonly number[], part: number): number | undefined {
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low === undefined || high === undefined ? undefined : low + (high - low) * (at - Math.floor(at))
}

/** A share as a person reads it. */
export const percentText = (share: number | undefined): string =>
  share === undefined ? '–' : `${Math.round(share * 1000) / 10} %`
