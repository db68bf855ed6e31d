import { dictionary, growing, orderOf, pick, placesOf } from './columns.ts'
import { type Run, runStatuses } from './run.ts'

/**
 * Runs in columns, in the order in which they began: what stands at one place in each belongs to one run.
 * Tens of thousands are counted in a few milliseconds, which making an object of each would take alone.
 */
export interface Runs extends RunColumns {
  /** What the numbers in `branch` stand for. */
  readonly branches: readonly string[]
}

/** The columns of runs. */
export interface RunColumns {
  readonly started: Float64Array
  /** NaN: it has not ended, or never began. */
  readonly duration: Float64Array
  readonly credits: Float64Array
  /** Places in the list of statuses. */
  readonly status: Float64Array
  /** Places in a list of branches. */
  readonly branch: Float64Array
}

/** Where statuses stand. */
export const statusPlaces: ReadonlyMap<string, number> = new Map(runStatuses.map((status, i) => [status, i]))

/** Runs that are being taken in. */
export type Gathering = ReturnType<typeof gatherRuns>

/** Takes in runs of some branches, or of all, one by one and in any order. */
export function gatherRuns(wanted?: ReadonlySet<string>) {
  const [started, duration, credits, status, branch] = [growing(), growing(), growing(), growing(), growing()]
  const branches = dictionary(wanted)
  return {
    /** Makes room for so many more. */
    reserve: (more: number): void => {
      for (const column of [started, duration, credits, status, branch]) column.reserve(more)
    },
    /** The place of a branch, to be given with its runs; -1: they are not wanted. */
    branchAt: branches.at,
    /** `duration` is NaN where there is none. */
    add: (began: number, took: number, cost: number, ended: number, on: number): void => {
      started.push(began)
      duration.push(took)
      credits.push(cost)
      status.push(ended)
      branch.push(on)
    },
    /** Room for so many, which the caller fills: quicker than one by one. */
    take: (count: number): RunColumns => ({
      started: started.take(count),
      duration: duration.take(count),
      credits: credits.take(count),
      status: status.take(count),
      branch: branch.take(count),
    }),
    /** All of them, and the places at which they were taken in, if those are others. */
    all(): { readonly runs: Runs; readonly order: Uint32Array | undefined } {
      const runs = {
        started: started.all(),
        duration: duration.all(),
        credits: credits.all(),
        status: status.all(),
        branch: branch.all(),
        branches: branches.texts,
      }
      const order = orderOf(runs.started)
      return { runs: order ? pickRuns(runs, order) : runs, order }
    },
  }
}

/** The runs at some places. */
export const pickRuns = (runs: Runs, places: Uint32Array): Runs => ({
  started: pick(runs.started, places),
  duration: pick(runs.duration, places),
  credits: pick(runs.credits, places),
  status: pick(runs.status, places),
  branch: pick(runs.branch, places),
  branches: runs.branches,
})

/** The runs from one place up to another. */
export const sliceRuns = (runs: Runs, from: number, to: number): Runs => ({
  started: runs.started.subarray(from, to),
  duration: runs.duration.subarray(from, to),
  credits: runs.credits.subarray(from, to),
  status: runs.status.subarray(from, to),
  branch: runs.branch.subarray(from, to),
  branches: runs.branches,
})

/** Runs apart, by branch. */
export const runsByBranch = (runs: Runs): ReadonlyMap<string, Runs> =>
  new Map(
    placesOf(runs.branch, runs.branches.length).map((places, i) => [runs.branches[i] ?? '', pickRuns(runs, places)]),
  )

/** Runs that are few, in columns. */
export function runsOf(list: readonly Run[]): Runs {
  const gathering = gatherRuns()
  for (const { started, duration, credits, status, branch } of list)
    gathering.add(started, duration ?? Number.NaN, credits, statusPlaces.get(status) ?? 0, gathering.branchAt(branch))
  return gathering.all().runs
}
