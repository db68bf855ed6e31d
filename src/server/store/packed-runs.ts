import type { RunColumns } from '#core/insights/runs.ts'
import { unpacked } from './packing.ts'

/** Columns that begin with those of runs: started (since the day began), duration, credits, status, branch. */
type Packed = readonly Uint32Array[]

const none = new Uint32Array(0)

/** The places of a day's rows that began in a window, on branches that are wanted. */
export function wantedPlaces(
  [started = none, , , , branch = none]: Packed,
  day: number,
  branches: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Uint32Array {
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

/** Writes the runs at some places into columns, their branches by the places that these have there. */
export function fillRuns(
  to: RunColumns,
  [started = none, duration = none, credits = none, status = none, branch = none]: Packed,
  places: Uint32Array,
  day: number,
  branches: readonly number[],
): void {
  for (let i = 0; i < places.length; i += 1) {
    const at = places[i] ?? 0
    to.started[i] = day + (started[at] ?? 0)
    to.duration[i] = unpacked(duration[at])
    to.credits[i] = credits[at] ?? 0
    to.status[i] = status[at] ?? 0
    to.branch[i] = branches[branch[at] ?? 0] ?? 0
  }
}
