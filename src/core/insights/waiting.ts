import { pick, placesOf } from './columns.ts'
import { ended, hundredthsAt } from './durations.ts'
import type { Jobs } from './jobs.ts'
import { dayMs, hourMs, type Window } from './window.ts'

/** The middle, the 95th percentile, the longest and the sum, in whole milliseconds. */
export interface Spread {
  readonly median: number
  readonly p95: number
  readonly max: number
  readonly total: number
}

function spreadOf(ordered: Float64Array): Spread {
  return {
    median: Math.trunc(hundredthsAt(ordered, 50) / 100),
    p95: Math.trunc(hundredthsAt(ordered, 95) / 100),
    max: ordered.at(-1) ?? 0,
    total: ordered.reduce((sum, value) => sum + value, 0),
  }
}

/** What the jobs of a resource class that began waited, and ran on all their nodes. */
export interface QueueTime {
  readonly resourceClass: string
  readonly jobs: number
  readonly waited: Spread
  readonly running: number
}

/** The jobs of one name: what they took. */
export interface LongJob {
  readonly workflow: string
  readonly name: string
  readonly runs: number
  readonly took: Spread
}

const mostLong = 20

/** Takes in the builds of a window, workflow by workflow, and says what they waited for, and what they took. */
export function gatherWaiting({ from, to }: Window) {
  // Hours of a day, days of more.
  const interval = to - from > 2 * dayMs ? dayMs : hourMs
  const busy = new Map<number, number>()
  const classes = new Map<string, { readonly waits: Float64Array[]; running: number }>()
  let long: LongJob[] = []

  function addBusy({ runs: { started, duration }, nodes }: Jobs): void {
    for (let i = 0; i < started.length; i += 1) {
      const begin = started[i] ?? 0
      const end = Math.min(begin + (duration[i] || 0), to)
      for (let at = Math.floor(begin / interval) * interval; at < end; at += interval) {
        const part = Math.min(end, at + interval) - Math.max(begin, at)
        busy.set(at, (busy.get(at) ?? 0) + part * (nodes[i] ?? 1))
      }
    }
  }

  function addWaits({ runs: { duration }, resourceClass, classes: names, queued, nodes }: Jobs): void {
    for (const [at, places] of placesOf(resourceClass, names.length).entries()) {
      const began = places.filter((place) => !Number.isNaN(duration[place]))
      if (began.length === 0) continue
      const known = classes.get(names[at] ?? '') ?? { waits: [], running: 0 }
      known.waits.push(pick(queued, began))
      for (const place of began) known.running += (duration[place] ?? 0) * (nodes[place] ?? 1)
      classes.set(names[at] ?? '', known)
    }
  }

  function addLong(workflow: string, { runs, name, names }: Jobs): void {
    for (const [at, places] of placesOf(name, names.length).entries()) {
      const took = ended(pick(runs.duration, places))
      if (took.length > 0) long.push({ workflow, name: names[at] ?? '', runs: took.length, took: spreadOf(took) })
    }
    long = long.toSorted((a, b) => b.took.total - a.took.total).slice(0, mostLong)
  }

  return {
    add(workflow: string, jobs: Jobs): void {
      addBusy(jobs)
      addWaits(jobs)
      addLong(workflow, jobs)
    },
    /** By class, the one that waited most first; how many agents worked on average in each interval in which one did; the jobs that took the most time. */
    all: () => ({
      queue: [...classes]
        .map(([resourceClass, { waits, running }]): QueueTime => {
          const waited = joined(waits).sort()
          return { resourceClass, jobs: waited.length, waited: spreadOf(waited), running }
        })
        .toSorted((a, b) => b.waited.total - a.waited.total || (a.resourceClass < b.resourceClass ? -1 : 1)),
      busy: [...busy].toSorted(([a], [b]) => a - b).map(([at, ms]) => ({ at, agents: ms / interval })),
      longest: long as readonly LongJob[],
    }),
  }
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
