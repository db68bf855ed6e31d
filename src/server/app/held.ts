import { Refusal } from '#kit/refusal.ts'
import { leaseOf, type LeaseRow } from '#server/store/leases.ts'
import type { Tx } from '#server/store/schema.ts'

/**
 * Refuses what comes from an agent that has lost the job meanwhile: its token was good when the request began,
 * but somebody else may run the job by now. Said in the transaction that writes, in the words it would hear a moment later.
 */
export async function checkHeld(tx: Tx, lease: LeaseRow): Promise<void> {
  const held = await leaseOf(tx, { job: lease.job_id, node: lease.node })
  if (held?.fence !== lease.fence) throw new Refusal('unauthenticated', 'Invalid token provided.')
}
