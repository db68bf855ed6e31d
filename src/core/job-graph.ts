import type { JobId } from './ids.ts'
import type { Job } from './job.ts'

/*
 * Who needs whom. All of it takes jobs in dependency order, so that one pass is enough.
 */

/** Everything that needs one of these jobs, however far away; not these jobs themselves, unless one needs another. */
export function downstreamOf(jobs: readonly Job[], from: Iterable<JobId>): ReadonlySet<JobId> {
  const roots = new Set(from)
  const found = new Set<JobId>()
  for (const job of jobs) {
    if (job.needs.some((need) => roots.has(need.job) || found.has(need.job))) found.add(job.id)
  }
  return found
}

/** Everything that one of these jobs needs, however far away; not these jobs themselves, unless one needs another. */
export function upstreamOf(jobs: readonly Job[], from: Iterable<JobId>): ReadonlySet<JobId> {
  const roots = new Set(from)
  const found = new Set<JobId>()
  for (const job of jobs.toReversed()) {
    if (roots.has(job.id) || found.has(job.id)) for (const need of job.needs) found.add(need.job)
  }
  return found
}
