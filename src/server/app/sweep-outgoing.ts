import { later } from '#kit/brand.ts'
import { deleteFinished, type Outbox } from '#server/store/progress.ts'
import type { World } from './world.ts'

const batch = 500
const dayMs = 24 * 60 * 60 * 1000
const outboxes: readonly Outbox[] = ['deliveries', 'notices', 'messages']

/** Removes what was sent, or given up, long enough ago. True when there may be more. */
export async function sweepOutgoing(world: World): Promise<boolean> {
  const before = later(world.now(), -(world.terms.deliveryDays ?? 30) * dayMs)
  let more = false
  for (const table of outboxes) {
    const count = await world.db.transaction().execute((tx) => deleteFinished(tx, table, before, batch))
    more ||= count === batch
  }
  return more
}
