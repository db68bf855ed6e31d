import { outputOf } from '#agent/job-folder.ts'
import type { StepSpec } from '#contract/agent.ts'
import type { Work } from './work.ts'

/** Shows what a service container prints, for as long as it and the job go on. */
export const followService: Work<Extract<StepSpec, { type: 'service' }>> = async (tools) => {
  const { place, step, index, say, signal, over } = tools
  if (!place.followService) {
    say('This container was not started: the agent has no docker engine\n')
    return 'success'
  }
  // What an earlier process of the agent has shown is not shown again.
  const shown = outputOf(place.folder, index)
  const since = shown && shown.bytes > 0 ? shown.at : 0
  const code = await place.followService(step.service, since, say, AbortSignal.any([signal, over]))
  signal.throwIfAborted()
  if (code !== undefined) say(`The container has ended with code ${code}\n`)
  return 'success'
}
