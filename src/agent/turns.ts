import { setImmediate as turn } from 'node:timers/promises'

/**
 * How long files are looked for, read or written without waiting before others have their turn. By time and not by count:
 * after every 64 files was too seldom for a slow disk and too often for a quick one.
 */
const turnMs = 10

/** Watches how long one thing has kept all others of this process waiting: heartbeats, and the logs of other jobs. */
export interface Turns {
  /** Whether it has been long enough. */
  due(): boolean
  /** Lets the others have their turn. */
  give(): Promise<void>
  /** To be called after a wait: the others have had theirs. */
  begin(): void
}

export function openTurns(now: () => number = () => performance.now()): Turns {
  let since = now()
  const begin = () => void (since = now())
  return {
    due: () => now() - since >= turnMs,
    async give() {
      await turn()
      begin()
    },
    begin,
  }
}

/** As many are sorted at once: a fraction of a millisecond. */
const runLength = 1024

/** By code unit, as `toSorted` does by itself: the same wherever it runs. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts texts by code unit, letting others have their turns: 200,000 at once took 200 ms. */
export const sortInTurn = (texts: readonly string[], turns: Turns): Promise<readonly string[]> =>
  sortInTurnBy(texts, byText, turns)

/** Sorts by any order, letting others have their turns; what is alike stays in its order. */
export async function sortInTurnBy<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  turns: Turns,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let at = 0; at < items.length; at += runLength) {
    runs.push(items.slice(at, at + runLength).toSorted(compare))
    if (turns.due()) await turns.give()
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, turns))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (a: T, b: T) => number,
  turns: Turns,
): Promise<readonly T[]> {
  if (other.length === 0) return one
  const merged: T[] = []
  for (let [a, b] = [0, 0]; a < one.length || b < other.length;) {
    const takeOne = b === other.length || (a < one.length && compare(one[a]!, other[b]!) <= 0)
    merged.push(takeOne ? one[a++]! : other[b++]!)
    if (merged.length % runLength === 0 && turns.due()) await turns.give()
  }
  return merged
}

/** Does something with each of many, letting others have their turns. */
export async function eachInTurn<T>(
  items: readonly T[],
  turns: Turns,
  each: (item: T, index: number) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    each(item, index)
    if (turns.due()) await turns.give()
  }
}
