import type { JobBody } from '#core/plan.ts'
import { later } from '#kit/brand.ts'
import { markStarted, type LeaseRow } from '#server/store/leases.ts'
import type { Tx } from '#server/store/schema.ts'
import { putStep } from '#server/store/steps.ts'
import { checkHeld } from './held.ts'
import type { World } from './world.ts'

/** How a step stands, as its agent tells it. */
export interface StepState {
  readonly index: number
  readonly status: string
  readonly startedAt: string
  readonly endedAt: string | null
  readonly exitCode: number | null
  /** Known when the log is whole. */
  readonly logSize: number | null
}

/** Notes that a step has begun. Whoever says so has the job: it is as good as a heartbeat. */
export const noteBegun = (world: World, tx: Tx, { job_id: job, fence }: LeaseRow): Promise<unknown> =>
  markStarted(tx, { job, fence, until: later(world.now(), world.terms.leaseMs) })

/** Writes how steps stand; what they are comes from the compiled job, never from the agent. */
export async function keepSteps(tx: Tx, lease: LeaseRow, body: JobBody, steps: readonly StepState[]): Promise<void> {
  await checkHeld(tx, lease)
  for (const state of steps) {
    const step = body.steps[state.index]
    if (!step) continue
    await putStep(tx, {
      job_id: lease.job_id,
      node: lease.node,
      position: state.index,
      name: step.name,
      type: step.type,
      command: 'command' in step ? step.command : '',
      background: 'background' in step && step.background ? 1 : 0,
      status: state.status,
      exit_code: state.exitCode,
      started_at: state.startedAt,
      ended_at: state.endedAt,
      log_state: logState(state),
    })
  }
}

/** A log without a byte needs no packing. */
const logState = ({ logSize }: StepState): string => (logSize === null ? 'live' : logSize === 0 ? 'packed' : 'whole')
