import { dropStale } from '#server/store/queue.ts'
import { pendingPipelines } from '#server/store/pipelines.ts'
import { later } from '#kit/brand.ts'
import { leaseCount } from '#server/store/leases.ts'
import { stepsToPack } from '#server/store/steps.ts'
import { deleteExpiredTokens } from '#server/store/tokens.ts'
import type { App } from './app.ts'
import { packLog } from './pack-log.ts'

/** Pipelines that wait to be turned into workflows. */
export const pendingPipelineIds = ({ world }: App, most: number): Promise<string[]> => pendingPipelines(world.db, most)

/** How long a finished log waits for a moment in which nothing runs: packing takes the processor that a job may want. */
const packAfterMs = 30_000

/** Packs some finished logs, when nothing runs or when they have waited long enough; true when there may be more. */
export async function packSome({ world }: App): Promise<boolean> {
  const isQuiet = (await leaseCount(world.db)) === 0
  const steps = await stepsToPack(world.db, isQuiet ? world.now() : later(world.now(), -packAfterMs), isQuiet ? 4 : 50)
  let packed = 0
  for (const step of steps) {
    try {
      await packLog(world, step)
      packed++
    } catch (error) {
      world.log.error('A log cannot be packed', { job: step.job_id, step: step.position, error: String(error) })
    }
  }
  return packed > 0
}

/** Throws away what nobody needs: places in the queue of jobs that wait no more, tokens whose time is over. */
export async function tidy({ world }: App): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    await dropStale(tx)
    await deleteExpiredTokens(tx, world.now())
  })
}
