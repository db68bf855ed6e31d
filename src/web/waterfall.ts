/** As much of a job as a waterfall needs; instants in milliseconds. */
export interface TimedJob {
  readonly id: string
  readonly dependencies: readonly string[]
  readonly started: number | undefined
  readonly stopped: number | undefined
}

/** The time of one job: since when it could run, ran, and until when. */
export interface Bar {
  readonly id: string
  /** When the last thing that it waited for had ended. */
  readonly ready: number
  readonly started: number | undefined
  readonly end: number
  /** Whether the workflow would have ended sooner had this job been quicker. */
  readonly critical: boolean
}

/** How the time of a workflow went: a bar for each job that could run, and how long the whole took. */
export interface Waterfall {
  readonly bars: readonly Bar[]
  readonly begin: number
  readonly end: number
  /** The jobs that decided how long it took, in order. */
  readonly path: readonly string[]
}

/** Lays out the time of a workflow that began at an instant; what goes on goes on until `now`. */
export function waterfallOf(jobs: readonly TimedJob[], begin: number, now: number): Waterfall {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const endOf = ({ started, stopped }: TimedJob) => stopped ?? (started === undefined ? undefined : now)
  const readyAt = (job: TimedJob): number | undefined => {
    const ends = job.dependencies.flatMap((id) => {
      const need = byId.get(id)
      return need ? [need.stopped] : []
    })
    return ends.includes(undefined) ? undefined : Math.max(begin, ...(ends as number[]))
  }
  const path = criticalPath(jobs, byId, endOf)
  const bars = jobs.flatMap((job): Bar[] => {
    // What has started was ready, whatever the clocks of its needs say.
    const ready = readyAt(job) ?? job.started
    if (ready === undefined) return []
    const end = endOf(job) ?? now
    const from = Math.min(ready, job.started ?? end, end)
    return [{ id: job.id, ready: from, started: job.started, end, critical: path.includes(job.id) }]
  })
  const sorted = bars.toSorted((one, other) => one.ready - other.ready || (one.started ?? 0) - (other.started ?? 0))
  return { bars: sorted, begin, end: Math.max(begin, ...bars.map((bar) => bar.end)), path }
}

/** From the job that ended last back over whatever it waited for longest. */
function criticalPath(
  jobs: readonly TimedJob[],
  byId: ReadonlyMap<string, TimedJob>,
  endOf: (job: TimedJob) => number | undefined,
): readonly string[] {
  const latest = (some: readonly TimedJob[]) =>
    some
      .filter((job) => job.started !== undefined && endOf(job) !== undefined)
      .toSorted((one, other) => endOf(other)! - endOf(one)!)[0]
  const path: string[] = []
  for (let job = latest(jobs); job && !path.includes(job.id);) {
    path.unshift(job.id)
    job = latest(job.dependencies.flatMap((id) => byId.get(id) ?? []))
  }
  return path
}
