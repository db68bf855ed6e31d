import { hundredthsAt, sorted } from './durations.ts'

/** How a test can end. */
export type TestEnding = 'success' | 'failure' | 'error' | 'skipped'

/** What is known of one test over several runs. */
export interface Tested<T> {
  readonly test: T
  readonly runs: number
  readonly failed: number
  /** In seconds. */
  readonly p95: number
}

/** How the tests of one run ended. */
export interface TestCounts {
  readonly success: number
  readonly failure: number
  readonly error: number
  readonly skipped: number
  readonly total: number
}

/** Of those that passed or did not: skipped ones tell nothing. */
export function testSuccessRate({ success, failure, error }: TestCounts): number {
  const told = success + failure + error
  return told === 0 ? 0 : success / told
}

/** Counts endings; one that is of no known kind is in the total only. */
export function countEndings(endings: Iterable<readonly [ending: string, count: number]>): TestCounts {
  const counts = { success: 0, failure: 0, error: 0, skipped: 0 }
  let total = 0
  for (const [ending, count] of endings) {
    total += count
    if (ending in counts) counts[ending as TestEnding] += count
  }
  return { ...counts, total }
}

/** Seconds as reports tell them, in whole microseconds: sums and shares of these are exact. */
export const microseconds = (seconds: number): number => Math.round(seconds * 1_000_000)

/** Gathers what runs tell of each test. */
export function gatherTests<T>() {
  const known = new Map<string, { test: T; times: number[]; failed: number }>()
  return {
    add(key: string, test: () => T, ending: string, seconds: number): void {
      const failed = ending === 'failure' || ending === 'error' ? 1 : 0
      const found = known.get(key)
      if (!found) return void known.set(key, { test: test(), times: [microseconds(seconds)], failed })
      found.times.push(microseconds(seconds))
      found.failed += failed
    },
    all: (): readonly Tested<T>[] =>
      [...known.values()].map(({ test, times, failed }) => ({
        test,
        runs: times.length,
        failed,
        p95: hundredthsAt(sorted(times), 95) / 100_000_000,
      })),
  }
}

/** The first of a list, and how many were left out that are as bad as the last one shown. */
export interface Worst<T> {
  readonly shown: readonly Tested<T>[]
  readonly extra: number
}

const most = 10

/** Those with the lowest rate of success; what never failed is not among them. */
export const mostFailed = <T>(tests: readonly Tested<T>[]): Worst<T> =>
  worst(
    tests.filter(({ failed }) => failed > 0),
    ({ failed, runs }) => failed / runs,
  )

/** Those with the highest 95th percentile; what took no time is not among them. */
export const slowest = <T>(tests: readonly Tested<T>[]): Worst<T> =>
  worst(
    tests.filter(({ p95 }) => p95 > 0),
    ({ p95 }) => p95,
  )

function worst<T>(tests: readonly Tested<T>[], badness: (test: Tested<T>) => number): Worst<T> {
  const ordered = tests.toSorted((a, b) => badness(b) - badness(a) || b.failed - a.failed || b.runs - a.runs)
  const shown = ordered.slice(0, most)
  const last = shown.at(-1)
  const extra = last ? ordered.slice(most).filter((test) => badness(test) === badness(last)).length : 0
  return { shown, extra }
}
