import { downstreamOf } from './job-graph.ts'
import type { JobId } from './ids.ts'
import { isOver, type Job } from './job.ts'
import type { Workflow } from './workflow.ts'
import { isTerminal } from './workflow-status.ts'

/** A lock that stands in line, or has what it waited for. */
export type Place = 'waiting' | 'held'

const none: ReadonlyMap<JobId, Place> = new Map()

/**
 * The locks of a workflow that wait for their serial groups or hold them.
 * A group is held until an unlock of the same key after the lock has ended, however it ended, or the workflow has.
 */
export function placesOf({ jobs, status }: Workflow): ReadonlyMap<JobId, Place> {
  const locks = jobs.filter((job) => job.kind === 'lock')
  if (locks.length === 0 || isTerminal(status)) return none
  const places = new Map<JobId, Place>()
  for (const lock of locks) {
    if (lock.status === 'queued') places.set(lock.id, 'waiting')
    else if (lock.status === 'success' && lock.reusedFrom === undefined && !isFreed(jobs, lock))
      places.set(lock.id, 'held')
  }
  return places
}

function isFreed(jobs: readonly Job[], lock: Job): boolean {
  const after = downstreamOf(jobs, [lock.id])
  return jobs.some((job) => job.kind === 'unlock' && job.key === lock.key && after.has(job.id) && isOver(job.status))
}

/** The lock, the unlock and everything between them: what a rerun repeats together. */
export function groupOf(jobs: readonly Job[], lock: Job): ReadonlySet<JobId> {
  const after = downstreamOf(jobs, [lock.id])
  const unlocks = jobs.filter((job) => job.kind === 'unlock' && job.key === lock.key && after.has(job.id))
  const group = new Set<JobId>([lock.id, ...unlocks.map((job) => job.id)])
  for (const job of jobs) {
    if (after.has(job.id) && unlocks.some((unlock) => downstreamOf(jobs, [job.id]).has(unlock.id))) group.add(job.id)
  }
  return group
}

/** What runs only while the lock holds its group: everything between it and the unlock, or all that follows where nothing unlocks. */
export function guardedBy(jobs: readonly Job[], lock: JobId): readonly JobId[] {
  const job = jobs.find(({ id }) => id === lock)
  if (!job) return []
  const group = groupOf(jobs, job)
  return group.size > 1 ? [...group] : [...downstreamOf(jobs, [lock])]
}
