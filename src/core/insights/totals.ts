import { statusPlaces, type Runs } from './runs.ts'

/** How often runs came, and how they ended. */
export interface Counts {
  readonly total: number
  readonly successful: number
  readonly failed: number
  readonly canceled: number
}

/** What can be added up from the parts of a whole: days of a workflow, workflows of a project, projects of an organization. */
export interface Totals extends Counts {
  /** Of all that ended, in milliseconds. */
  readonly time: number
  /** In thousandths. */
  readonly credits: number
  /** When the first and the last of them began; infinite where there is none. */
  readonly first: number
  readonly last: number
}

/** What nothing comes to. */
export const noTotals: Totals = {
  total: 0,
  successful: 0,
  failed: 0,
  canceled: 0,
  time: 0,
  credits: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
}

export const addTotals = (a: Totals, b: Totals): Totals => ({
  total: a.total + b.total,
  successful: a.successful + b.successful,
  failed: a.failed + b.failed,
  canceled: a.canceled + b.canceled,
  time: a.time + b.time,
  credits: a.credits + b.credits,
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
})

const [success, failed, canceled] = (['success', 'failed', 'canceled'] as const).map((name) => statusPlaces.get(name))

/** What runs come to. */
export function totalsOf({ started, duration, credits, status }: Runs): Totals {
  const counts = new Uint32Array(statusPlaces.size)
  let [time, cost] = [0, 0]
  for (let i = 0; i < started.length; i += 1) {
    counts[status[i] ?? 0] = (counts[status[i] ?? 0] ?? 0) + 1
    cost += credits[i] ?? 0
    const took = duration[i] ?? Number.NaN
    if (!Number.isNaN(took)) time += took
  }
  return {
    total: started.length,
    successful: counts[success ?? 0] ?? 0,
    failed: counts[failed ?? 0] ?? 0,
    canceled: counts[canceled ?? 0] ?? 0,
    time,
    credits: cost,
    first: started[0] ?? noTotals.first,
    last: started.at(-1) ?? noTotals.last,
  }
}
