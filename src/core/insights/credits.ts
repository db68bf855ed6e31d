import { between } from '#kit/brand.ts'
import type { Job } from '#core/job.ts'

/** What a minute costs in a resource class, in credits. */
export interface Prices {
  readonly usual: number
  readonly byClass: Readonly<Record<string, number>>
}

/** A minute is a credit, wherever it is spent. */
export const minutes: Prices = { usual: 1, byClass: {} }

/** How long a job ran, in milliseconds; null where it never did, or did in another workflow. */
export const ranFor = ({ startedAt, stoppedAt, reusedFrom }: Job): number | null =>
  startedAt === undefined || stoppedAt === undefined || reusedFrom !== undefined
    ? null
    : Math.max(0, between(startedAt, stoppedAt))

/** What a job cost on all its nodes, in thousandths of a credit. */
export function creditsOf(job: Job, { usual, byClass }: Prices): number {
  if (job.kind !== 'build') return 0
  const price = byClass[job.resourceClass] ?? usual
  return Math.round(((ranFor(job) ?? 0) * price * job.parallelism) / 60)
}
