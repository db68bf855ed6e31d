import { microseconds } from './tested.ts'
import { dayMs } from './window.ts'

/** A test that did not pass, and when it passed on the same commit: last before that, and first after it. */
export interface Failure {
  readonly test: string
  readonly at: number
  readonly passedBefore: number | null
  readonly passedAfter: number | null
  /** In seconds. */
  readonly runTime: number
}

/** A test that passed and failed on one commit. */
export interface Flaky<F extends Failure> {
  readonly test: string
  readonly times: number
  /** What its failures took, in whole seconds. */
  readonly timeWasted: number
  /** The failure of its last flake. */
  readonly last: F
}

/** Both must come within so long of each other, and a test is flaky for so long after its last flake. */
export const flakyMs = 14 * dayMs

/** When it was clear that a failure was a flake; undefined where it was none. */
export function flakedAt({ at, passedBefore, passedAfter }: Failure): number | undefined {
  if (passedBefore !== null && at - passedBefore <= flakyMs) return at
  if (passedAfter !== null && passedAfter - at <= flakyMs) return passedAfter
  return undefined
}

/** The tests that are flaky now, those that flaked most first. Branches do not matter, commits do. */
export function flakyTests<F extends Failure>(failures: readonly F[], now: number): readonly Flaky<F>[] {
  const found = new Map<string, { times: number; wasted: number; last: F; at: number }>()
  for (const failure of failures) {
    const at = flakedAt(failure)
    if (at === undefined) continue
    const known = found.get(failure.test)
    found.set(failure.test, {
      times: (known?.times ?? 0) + 1,
      wasted: (known?.wasted ?? 0) + microseconds(failure.runTime),
      ...(known && known.at > at ? { last: known.last, at: known.at } : { last: failure, at }),
    })
  }
  return [...found]
    .filter(([, { at }]) => now - at <= flakyMs)
    .map(([test, { times, wasted, last }]) => ({ test, times, timeWasted: Math.trunc(wasted / 1_000_000), last }))
    .toSorted((a, b) => b.times - a.times || b.last.at - a.last.at || (a.test < b.test ? -1 : 1))
}
