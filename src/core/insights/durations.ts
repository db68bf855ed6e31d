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

/**
 * The value below which so many of a hundred of sorted whole values lie: between two neighbours, in proportion (§4.2: 78, 173, 178 have
 * the p95 177.5). In hundredths, which are whole again: a binary fraction would cut 3 to 2 where it stands for 2.9999999999999996.
 */
export function hundredthsAt(sorted: ArrayLike<number>, percent: number): number {
  const place = (sorted.length - 1) * percent
  const low = Math.floor(place / 100)
  const part = place % 100
  const below = sorted[low] ?? Number.NaN
  const above = sorted[Math.min(low + 1, sorted.length - 1)] ?? below
  return below * (100 - part) + above * part
}

/** Whole seconds of hundredths of milliseconds. */
export const secondsOfHundredths = (value: number): number => Math.trunc(value / 100_000)

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

/** What durations in whole milliseconds, sorted, come to. Everything is cut to whole seconds; the deviation is that of a sample. */
export function durationsOf(values: Float64Array): Durations {
  const count = values.length
  if (count === 0) return nothing
  let sum = 0
  for (let i = 0; i < count; i += 1) sum += values[i] ?? 0
  return {
    min: seconds(values[0] ?? 0),
    // Divided once: a quotient of whole numbers is never rounded up to the next whole one, that of a quotient may be.
    mean: Math.trunc(sum / (count * 1000)),
    median: secondsOfHundredths(hundredthsAt(values, 50)),
    p95: secondsOfHundredths(hundredthsAt(values, 95)),
    max: seconds(values[count - 1] ?? 0),
    standardDeviation: count === 1 ? 0 : deviationOf(values, sum),
  }
}

/** The largest difference whose square can be added to others without being rounded. */
const mostSquared = 2 ** 26
const mostSummed = 2 ** 52

/** The deviation of a sample in whole seconds: the root of (n Σd² - (Σd)²) / n(n-1), where d is how far a value is from about the middle. */
function deviationOf(values: Float64Array, sum: number): number {
  const count = values.length
  const middle = Math.trunc(sum / count)
  let [far, squares] = [0n, 0]
  for (let i = 0; i < count; i += 1) {
    const apart = (values[i] ?? 0) - middle
    if (apart >= mostSquared || apart <= -mostSquared) far += BigInt(apart) ** 2n
    else squares += apart * apart
    // What is whole and large goes over to where nothing is rounded: not at each step, which would take ten times as long.
    if (squares < mostSummed) continue
    far += BigInt(squares)
    squares = 0
  }
  const all = BigInt(count)
  const rest = BigInt(sum - middle * count)
  const variance = (all * (far + BigInt(squares)) - rest * rest) / (all * (all - 1n) * 1_000_000n)
  return rootOf(variance)
}

/** The whole root of a whole number. */
function rootOf(square: bigint): number {
  let root = BigInt(Math.trunc(Math.sqrt(Number(square))))
  while (root * root > square) root -= 1n
  while ((root + 1n) * (root + 1n) <= square) root += 1n
  return Number(root)
}
