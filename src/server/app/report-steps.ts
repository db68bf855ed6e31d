import { Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import type { App } from './app.ts'
import { keepSteps, noteBegun, type StepState } from './steps.ts'

/** Writes how steps stand while the job goes on. */
export async function reportSteps({ world, bodyOf }: App, lease: LeaseRow, steps: readonly StepState[]): Promise<void> {
  const job = await jobById(world.db, { id: lease.job_id })
  if (!job) throw new Refusal('not-found', 'Job not found.')
  const body = await bodyOf(job)
  await world.db.transaction().execute(async (tx) => {
    await keepSteps(tx, lease, body, steps)
    if (steps.length > 0) await noteBegun(world, tx, lease)
  })
  world.bell.ring(`job:${lease.job_id}`)
  world.bell.ring(`log:${lease.job_id}`)
}
