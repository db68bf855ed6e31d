import { percentile, sorted } from './durations.ts'
import { dayMs, hourMs, type Window } from './window.ts'

/** A job that ended, as far as waiting and working are concerned. Milliseconds. */
export interface Worked {
  readonly workflow: string
  readonly name: string
  readonly started: number
  readonly duration: number | null
  readonly queued: number
  readonly resourceClass: string
  readonly nodes: number
}

/** The middle, the 95th percentile, the longest and the sum, in whole milliseconds. */
export interface Spread {
  readonly median: number
  readonly p95: number
  readonly max: number
  readonly total: number
}

function spreadOf(values: readonly number[]): Spread {
  const ordered = sorted(values)
  return {
    median: Math.trunc(percentile(ordered, 0.5)),
    p95: Math.trunc(percentile(ordered, 0.95)),
    max: ordered.at(-1) ?? 0,
    total: ordered.reduce((sum, value) => sum + value, 0),
  }
}

/** What the jobs of each resource class that began waited; the class that waited most first. */
export function queueTimes(jobs: readonly Worked[]) {
  const began = jobs.filter(({ duration }) => duration !== null)
  return [...Map.groupBy(began, ({ resourceClass }) => resourceClass)]
    .map(([resourceClass, of]) => ({
      resourceClass,
      jobs: of.length,
      waited: spreadOf(of.map(({ queued }) => queued)),
      running: of.reduce((sum, { duration, nodes }) => sum + (duration ?? 0) * nodes, 0),
    }))
    .toSorted((a, b) => b.waited.total - a.waited.total || (a.resourceClass < b.resourceClass ? -1 : 1))
}

/** How many agents worked on average in each interval of a window, from the first in which one did; hours of a day, days of more. */
export function busyAgents(jobs: readonly Worked[], { from, to }: Window) {
  const length = to - from > 2 * dayMs ? dayMs : hourMs
  const busy = new Map<number, number>()
  for (const { started, duration, nodes } of jobs) {
    const end = Math.min(started + (duration ?? 0), to)
    for (let at = Math.floor(started / length) * length; at < end; at += length) {
      const part = Math.min(end, at + length) - Math.max(started, at)
      busy.set(at, (busy.get(at) ?? 0) + part * nodes)
    }
  }
  return [...busy].toSorted(([a], [b]) => a - b).map(([at, ms]) => ({ at, agents: ms / length }))
}

const most = 20

/** The jobs that took the most time, all runs together. */
export function longestJobs(jobs: readonly Worked[]) {
  const ran = jobs.filter(({ duration }) => duration !== null)
  return [...Map.groupBy(ran, ({ workflow, name }) => `${workflow}\0${name}`).values()]
    .map((of) => ({
      workflow: of[0]?.workflow ?? '',
      name: of[0]?.name ?? '',
      runs: of.length,
      took: spreadOf(of.map(({ duration }) => duration ?? 0)),
    }))
    .toSorted((a, b) => b.took.total - a.took.total)
    .slice(0, most)
}
