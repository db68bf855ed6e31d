import { assertNever, type Instant } from '#kit/brand.ts'
import type { JobId } from './ids.ts'
import { endingOf, type Job } from './job.ts'

/**
 * Opens the gate of every blocked job whose needs are met; closes it for good where a need can no longer be met.
 * Gives back the same array when there was nothing to open or close.
 */
export function release(jobs: readonly Job[], at: Instant): readonly Job[] {
  const settled = new Map<JobId, Job>()
  // Jobs stand in dependency order, so one pass settles the whole graph.
  for (const job of jobs) settled.set(job.id, job.status === 'blocked' ? settle(job, settled, at) : job)
  const after = [...settled.values()]
  return after.every((job, index) => job === jobs[index]) ? jobs : after
}

function settle(job: Job, others: ReadonlyMap<JobId, Job>, at: Instant): Job {
  const needs = job.needs.map(({ job: id, on }) => {
    const needed = others.get(id)
    if (!needed) throw new TypeError(`Cannot release job ${job.id} as it needs job ${id}: it does not stand before it`)
    const ending = endingOf[needed.status]
    return ending === undefined ? 'open' : on.includes(ending) ? 'met' : 'lost'
  })
  if (needs.includes('lost')) return { ...job, status: 'not_run' }
  return needs.includes('open') ? job : released(job, at)
}

function released(job: Job, at: Instant): Job {
  if (job.denied !== undefined) return { ...job, status: 'unauthorized', stoppedAt: at }
  switch (job.kind) {
    case 'build':
      return { ...job, status: 'queued', queuedAt: at }
    case 'approval':
      return { ...job, status: 'on_hold' }
    case 'lock':
      // It waits in the line before its serial group; whoever keeps that line says when its turn has come.
      return { ...job, status: 'queued', queuedAt: at }
    case 'no-op':
    // That it has ended is all there is to an unlock: whoever keeps the line sees it.
    case 'unlock':
    // Releases are not kept yet: their jobs stand for nothing, and must not hold up what follows them.
    case 'release':
      return { ...job, status: 'success', startedAt: at, stoppedAt: at }
    default:
      return assertNever(job.kind)
  }
}
