import type { StepSpec } from '#contract/agent.ts'
import { Unready } from '#agent/executors/executor.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './work.ts'

/** The first step of a docker job: makes the place ready for the others and tells how that goes. */
export const spinUp: Work<Extract<StepSpec, { type: 'spin_up' }>> = async ({ place, say, signal }) => {
  try {
    await place.makeReady(say, signal)
    return 'success'
  } catch (error) {
    if (error instanceof Unready && error.fault === 'job') throw new StepFailed(error.message, { cause: error })
    throw error
  }
}
