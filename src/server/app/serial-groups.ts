import type { JobId, WorkflowId } from '#core/ids.ts'
import type { WorkflowCommand } from '#core/workflow.ts'
import { later } from '#kit/brand.ts'
import { firstInLine, holdPlace, overtaken, placeOf, type PlaceRow, waitingSince } from '#server/store/serial-places.ts'
import { lockWorkflow } from '#server/store/workflows.ts'
import { change, tell, type Told } from './workflows.ts'
import type { World } from './world.ts'

/** Whoever waits longer than this for a serial group is canceled. */
const longestWaitMs = 5 * 60 * 60 * 1000
const together = 100

/**
 * Looks at every line before a serial group: whose turn has come goes on, who came after a newer pipeline of the same project is left out,
 * who has waited too long is canceled. Any number of servers may look at once. True when there may be more to do.
 */
export async function moveLines(world: World): Promise<boolean> {
  let moved = 0
  for (const place of await overtaken(world.db, together))
    moved += await settle(
      world,
      place,
      { type: 'skip-lock', job: place.job_id as JobId },
      'A newer pipeline came first',
    )
  for (const place of await waitingSince(world.db, later(world.now(), -longestWaitMs), together)) {
    const reason = `Waited longer than 5 hours for serial group ${place.serial_key}`
    moved += await settle(world, place, { type: 'cancel-job', job: place.job_id as JobId }, reason)
  }
  for (const place of await firstInLine(world.db, together))
    moved += await settle(world, place, { type: 'take-lock', job: place.job_id as JobId })
  return moved > 0
}

async function settle(world: World, { job_id: id, workflow_id }: PlaceRow, wanted: WorkflowCommand, reason?: string) {
  const told: Told[] = []
  try {
    await world.db.transaction().execute(async (tx) => {
      told.length = 0
      const stored = await lockWorkflow(tx, workflow_id as WorkflowId)
      const place = await placeOf(tx, { job: id })
      // Canceled, or served by another server, since we looked.
      if (!stored || place?.held_at !== null) return
      if (wanted.type === 'take-lock') await holdPlace(tx, id, world.now())
      await change(world, tx, stored, wanted, told, reason === undefined ? undefined : new Map([[id as JobId, reason]]))
    })
  } catch (error) {
    // Another server let somebody else in at the same moment: that one goes first.
    if (isTaken(error)) return 0
    throw error
  }
  tell(world, told)
  return told.length
}

const isTaken = (error: unknown): boolean => /unique/i.test(error instanceof Error ? error.message : '')
