import { dictionary, growing, pick, placesOf } from './columns.ts'
import { gatherRuns, pickRuns, type Runs } from './runs.ts'

/** Builds in columns: as runs, and what only builds have. */
export interface Jobs {
  readonly runs: Runs
  /** Places in `names`. */
  readonly name: Float64Array
  readonly names: readonly string[]
  /** How long each waited for an agent, in milliseconds. */
  readonly queued: Float64Array
  /** Places in `classes`. */
  readonly resourceClass: Float64Array
  readonly classes: readonly string[]
  readonly nodes: Float64Array
}

/** Builds that are being taken in. */
export type JobGathering = ReturnType<typeof gatherJobs>

/** Takes in builds of some branches, or of all. */
export function gatherJobs(wanted?: ReadonlySet<string>) {
  const runs = gatherRuns(wanted)
  const [name, queued, resourceClass, nodes] = [growing(), growing(), growing(), growing()]
  const [names, classes] = [dictionary(), dictionary()]
  return {
    /** Makes room for so many more. */
    reserve: (more: number): void => {
      runs.reserve(more)
      for (const column of [name, queued, resourceClass, nodes]) column.reserve(more)
    },
    branchAt: runs.branchAt,
    nameAt: names.at,
    classAt: classes.at,
    /** Each build is added as a run, and then as a build. */
    addRun: runs.add,
    addJob(called: number, waited: number, of: number, onNodes: number): void {
      name.push(called)
      queued.push(waited)
      resourceClass.push(of)
      nodes.push(onNodes)
    },
    /** Room for so many, which the caller fills. */
    take: (count: number) => ({
      runs: runs.take(count),
      name: name.take(count),
      queued: queued.take(count),
      resourceClass: resourceClass.take(count),
      nodes: nodes.take(count),
    }),
    all(): Jobs {
      const { runs: all, order } = runs.all()
      const inOrder = (column: Float64Array) => (order ? pick(column, order) : column)
      return {
        runs: all,
        name: inOrder(name.all()),
        names: names.texts,
        queued: inOrder(queued.all()),
        resourceClass: inOrder(resourceClass.all()),
        classes: classes.texts,
        nodes: inOrder(nodes.all()),
      }
    },
  }
}

/** The runs of the builds of each name. */
export const runsByName = ({ runs, name, names }: Jobs): ReadonlyMap<string, Runs> =>
  new Map(placesOf(name, names.length).map((places, i) => [names[i] ?? '', pickRuns(runs, places)]))
