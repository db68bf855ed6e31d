import type { StepSpec } from '#contract/agent.ts'
import { Unready } from '#agent/executors/executor.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './work.ts'

/** Gives the steps that follow a docker engine, if the operator of the agent lets jobs have one. */
export const setupRemoteDocker: Work<Extract<StepSpec, { type: 'setup_remote_docker' }>> = async (tools) => {
  const { place, step, say, signal } = tools
  if (step.version !== undefined)
    say(`The version ${step.version} is not looked at: the engine is the one of this agent\n`)
  try {
    await place.giveEngine(say, signal)
    return 'success'
  } catch (error) {
    if (error instanceof Unready && error.fault === 'job') throw new StepFailed(error.message, { cause: error })
    throw error
  }
}
