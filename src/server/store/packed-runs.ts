import type { RunColumns } from '#core/insights/runs.ts'
import { unpacked } from './packing.ts'

/** Columns that begin with those of runs: started (since the day began), duration, credits, status, branch. */
type Packed = readonly Uint32Array[]

const none = new Uint32Array(0)

const dayMs = 86_400_000

/** The places of a day's rows that began in a window, on branches that are wanted; nothing where all did, as on most days of a window. */
export function wantedPlaces(
  [started = none, , , , branch = none]: Packed,
  day: number,
  branches: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Uint32Array | undefined {
  if (from <= day && day + dayMs <= to && !branches.includes(-1)) return undefined
  const places = new Uint32Array(started.length)
  let count = 0
  for (let i = 0; i < places.length; i += 1) {
    const at = day + (started[i] ?? 0)
    if (branches[branch[i] ?? 0] === -1 || at < from || at >= to) continue
    places[count] = i
    count += 1
  }
  return places.subarray(0, count)
}

/** Writes the runs at some places, or all, into columns, their branches by the places that these have there. */
export function fillRuns(
  to: RunColumns,
  packed: Packed,
  places: Uint32Array | undefined,
  day: number,
  branches: readonly number[],
): void {
  const [started = none, duration = none, credits = none, status = none, branch = none] = packed
  if (places === undefined) {
    to.credits.set(credits)
    to.status.set(status)
    // A column at a time: a third of the time that a row at a time takes.
    for (let i = 0; i < started.length; i += 1) to.started[i] = day + (started[i] ?? 0)
    for (let i = 0; i < duration.length; i += 1) to.duration[i] = unpacked(duration[i])
    for (let i = 0; i < branch.length; i += 1) to.branch[i] = branches[branch[i] ?? 0] ?? 0
    return
  }
  for (let i = 0; i < places.length; i += 1) {
    const at = places[i] ?? 0
    to.started[i] = day + (started[at] ?? 0)
    to.duration[i] = unpacked(duration[at])
    to.credits[i] = credits[at] ?? 0
    to.status[i] = status[at] ?? 0
    to.branch[i] = branches[branch[at] ?? 0] ?? 0
  }
}

/** How many are at some places, or at all. */
export const countOf = ([started = none]: Packed, places: Uint32Array | undefined): number =>
  places === undefined ? started.length : places.length
