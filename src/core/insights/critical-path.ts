/** One job of a workflow that ran: when, and after which others. Times are in milliseconds since 1970. */
export interface RanJob {
  readonly id: string
  readonly name: string
  readonly needs: readonly string[]
  /** When it could have begun. */
  readonly ready: number
  readonly started: number
  readonly stopped: number
}

/** A job on the way that decided how long a workflow took. */
export interface PathStep {
  readonly id: string
  readonly name: string
  readonly waited: number
  readonly ran: number
  /** How much shorter the workflow would be if this job took no time: until another way is the longest. */
  readonly worth: number
}

/** The chain of jobs that decided when the last one ended, from the first; the one to make faster is that of the most worth. */
export function criticalPath(jobs: readonly RanJob[]): readonly PathStep[] {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const path: RanJob[] = []
  let at = latest(jobs)
  while (at && !path.includes(at)) {
    path.unshift(at)
    at = latest(at.needs.flatMap((id) => byId.get(id) ?? []))
  }
  const whole = finish(jobs, undefined)
  return path.map((job) => ({
    id: job.id,
    name: job.name,
    waited: Math.max(0, job.started - job.ready),
    ran: job.stopped - job.started,
    worth: whole - finish(jobs, job.id),
  }))
}

const latest = (jobs: readonly RanJob[]): RanJob | undefined =>
  jobs.reduce<RanJob | undefined>((last, job) => (last && last.stopped >= job.stopped ? last : job), undefined)

/** How long everything takes when each job begins as long after its needs as it did, and one of them takes no time. */
function finish(jobs: readonly RanJob[], without: string | undefined): number {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const ends = new Map<string, number>()
  const end = (job: RanJob): number => {
    const known = ends.get(job.id)
    if (known !== undefined) return known
    // Stands for itself while it is being looked at: needs cannot go round, and if they did this would still end.
    ends.set(job.id, 0)
    const needs = job.needs.flatMap((id) => byId.get(id) ?? [])
    const after = needs.reduce((most, need) => Math.max(most, end(need)), 0)
    const took = job.id === without ? 0 : job.stopped - job.started + Math.max(0, job.started - job.ready)
    const value = after + took
    ends.set(job.id, value)
    return value
  }
  return jobs.reduce((most, job) => Math.max(most, end(job)), 0)
}
