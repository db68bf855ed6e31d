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

/** Sorts texts by code unit, as `toSorted` does, letting others have their turns: 200,000 at once took 200 ms. */
export async function sortInTurn(texts: readonly string[], turns: Turns): Promise<readonly string[]> {
  let runs: (readonly string[])[] = []
  for (let at = 0; at < texts.length; at += runLength) {
    runs.push(texts.slice(at, at + runLength).toSorted())
    if (turns.due()) await turns.give()
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], turns))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(one: readonly string[], other: readonly string[], turns: Turns): Promise<readonly string[]> {
  if (other.length === 0) return one
  const merged: string[] = []
  for (let [a, b] = [0, 0]; a < one.length || b < other.length;) {
    const takeOne = b === other.length || (a < one.length && one[a]! <= other[b]!)
    merged.push(takeOne ? one[a++]! : other[b++]!)
    if (merged.length % runLength === 0 && turns.due()) await turns.give()
  }
  return merged
}
