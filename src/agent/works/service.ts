import { join } from 'node:path'
import type { ServiceMark } from '#agent/executors/executor.ts'
import { outputOf } from '#agent/job-folder.ts'
import { readJson, writeWhole } from '#agent/whole-file.ts'
import type { StepSpec } from '#contract/agent.ts'
import type { Work } from './work.ts'

/** How far a service was read, and how much of it was shown by then. */
interface Shown {
  readonly mark: ServiceMark
  readonly bytes: number
}

/** Shows what a service container prints, for as long as it and the job go on. */
export const followService: Work<Extract<StepSpec, { type: 'service' }>> = async (tools) => {
  const { place, step, index, say, signal, over } = tools
  if (!place.followService) {
    say('This container was not started: the agent has no docker engine\n')
    return 'success'
  }
  const file = join(place.folder, `step-${index}.service.json`)
  const shownBytes = () => outputOf(place.folder, index)?.bytes ?? 0
  const before = readJson<Shown>(file)
  // An earlier process of the agent may have shown more than it lived to note: that comes first now, and is left out.
  let known = shownBytes() - (before?.bytes ?? 0)
  const show = (bytes: Buffer, mark: ServiceMark) => {
    const left = bytes.subarray(Math.max(0, known))
    known -= bytes.length - left.length
    if (left.length > 0) say(left)
    writeWhole(file, JSON.stringify({ mark, bytes: shownBytes() - known } satisfies Shown))
  }
  const end = await place.followService(step.service, before?.mark, show, { signal, over })
  signal.throwIfAborted()
  if (end) say(`The container has ended with code ${end.code}\n${end.reason === undefined ? '' : `${end.reason}\n`}`)
  return 'success'
}
