/** What a job waited for before it began: an agent, somebody's approval, or the other workflows of its serial group. */
export type WaitedFor = 'agent' | 'person' | 'serial-group'

/** One job of a workflow that ran, or waited to: when, and after which others. Times are in milliseconds since 1970. */
export interface RanJob {
  readonly id: string
  readonly name: string
  /** What had to end before; the attempt that it repeats is among them. */
  readonly needs: readonly string[]
  readonly waitedFor: WaitedFor
  /** When it could have begun; where nobody noted that, it was when whatever it needs had ended. */
  readonly ready: number | undefined
  /** One that never began has begun when it ended. */
  readonly started: number
  readonly stopped: number
}

/** A job on the way that decided how long a workflow took. */
export interface PathStep {
  readonly id: string
  readonly name: string
  readonly waitedFor: WaitedFor
  readonly waited: number
  readonly ran: number
  /**
   * How much shorter the workflow would be if this job took no time: until another way is the longest. Nothing for what waits for people
   * or for other workflows: no job becomes faster by that.
   */
  readonly worth: number
}

interface Timed extends RanJob {
  readonly waited: number
}

/** The chain of jobs that decided when the last one ended, from the first, of a workflow that began then; the one to make faster is that of the most worth. */
export function criticalPath(all: readonly RanJob[], begin: number): readonly PathStep[] {
  const ends = new Map(all.map(({ id, stopped }) => [id, stopped]))
  const jobs = all.map((job): Timed => {
    const ready = job.ready ?? job.needs.reduce((last, id) => Math.max(last, ends.get(id) ?? begin), begin)
    return { ...job, waited: Math.max(0, job.started - ready) }
  })
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const path: Timed[] = []
  let at = latest(jobs)
  while (at && !path.includes(at)) {
    path.unshift(at)
    at = latest(at.needs.flatMap((id) => byId.get(id) ?? []))
  }
  const whole = finish(jobs, byId, undefined)
  return path.map((job) => ({
    id: job.id,
    name: job.name,
    waitedFor: job.waitedFor,
    waited: job.waited,
    ran: job.stopped - job.started,
    worth: job.waitedFor === 'agent' ? whole - finish(jobs, byId, job.id) : 0,
  }))
}

const latest = (jobs: readonly Timed[]): Timed | undefined =>
  jobs.reduce<Timed | undefined>((last, job) => (last && last.stopped >= job.stopped ? last : job), undefined)

/** How long everything takes when each job begins as long after its needs as it did, and one of them takes no time. */
function finish(jobs: readonly Timed[], byId: ReadonlyMap<string, Timed>, without: string | undefined): number {
  const ends = new Map<string, number>()
  const end = (job: Timed): number => {
    const known = ends.get(job.id)
    if (known !== undefined) return known
    // Stands for itself while it is being looked at: needs cannot go round, and if they did this would still end.
    ends.set(job.id, 0)
    const needs = job.needs.flatMap((id) => byId.get(id) ?? [])
    const after = needs.reduce((most, need) => Math.max(most, end(need)), 0)
    const value = after + (job.id === without ? 0 : job.stopped - job.started + job.waited)
    ends.set(job.id, value)
    return value
  }
  return jobs.reduce((most, job) => Math.max(most, end(job)), 0)
}
