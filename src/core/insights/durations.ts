import { sortInPlace } from './sort-whole.ts'

/** How long runs took, in whole seconds; null where none has ended. */
export interface Durations {
  readonly min: number | null
  readonly mean: number | null
  readonly median: number | null
  readonly p95: number | null
  readonly max: number | null
  readonly standardDeviation: number | null
}

const nothing: Durations = { min: null, mean: null, median: null, p95: null, max: null, standardDeviation: null }

/** Whole seconds of a duration in milliseconds. */
export const seconds = (ms: number): number => Math.trunc(ms / 1000)

/** The value below which a share of sorted values lies: between two neighbours, in proportion (§4.2: 78, 173, 178 have the p95 177.5). */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share
  const low = Math.floor(place)
  const below = sorted[low] ?? Number.NaN
  const above = sorted[Math.min(low + 1, sorted.length - 1)] ?? below
  return below + (above - below) * (place - low)
}

/** The durations of those that ended, sorted. */
export function ended(durations: Float64Array): Float64Array {
  const values = new Float64Array(durations.length)
  let count = 0
  for (let i = 0; i < durations.length; i += 1) {
    const value = durations[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    values[count] = value
    count += 1
  }
  return sortInPlace(values.subarray(0, count))
}

/** Sorted milliseconds. */
export const sorted = (values: readonly number[]): Float64Array => sortInPlace(new Float64Array(values))

/** What durations in milliseconds, sorted, come to. Everything is cut to whole seconds; the deviation is that of a sample. */
export function durationsOf(values: Float64Array): Durations {
  const count = values.length
  if (count === 0) return nothing
  let sum = 0
  for (let i = 0; i < count; i += 1) sum += values[i] ?? 0
  const mean = sum / count
  let squares = 0
  for (let i = 0; i < count; i += 1) squares += ((values[i] ?? 0) - mean) ** 2
  return {
    min: seconds(values[0] ?? 0),
    mean: seconds(mean),
    median: seconds(percentile(values, 0.5)),
    p95: seconds(percentile(values, 0.95)),
    max: seconds(values[count - 1] ?? 0),
    standardDeviation: count === 1 ? 0 : seconds(Math.sqrt(squares / (count - 1))),
  }
}
