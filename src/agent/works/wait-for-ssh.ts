import type { StepSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import { readBegun } from '#agent/job-folder.ts'
import { span } from '#agent/outcome.ts'
import type { Work } from './work.ts'

/** Keeps the job open to its visitors: for as long as somebody is there or has just been, and not for ever. */
export const waitForSsh: Work<Extract<StepSpec, { type: 'wait_for_ssh' }>> = async (tools) => {
  const { step, say, signal, door, place, index } = tools
  const opened = await door?.catch(() => undefined)
  if (!opened) {
    say('Nobody can come: SSH is not enabled\n')
    return 'success'
  }
  const { presence } = opened
  const begun = performance.now()
  // The longest time goes on where an earlier process of the agent began it; whoever was there then has to come back.
  const since = begun - Math.max(0, Date.now() - (readBegun(place.folder, index)?.startedAt.getTime() ?? Date.now()))
  say(`The job stays open for ${span(step.idle_ms)} after the last visitor, and for ${span(step.longest_ms)} at most\n`)
  for (let told = 0; ;) {
    signal.throwIfAborted()
    const here = presence.count()
    if (here !== told) say(here === 0 ? 'Nobody is connected any more\n' : `${here} connected\n`)
    told = here
    const now = performance.now()
    const idleEnd = here > 0 ? Infinity : Math.max(begun, presence.since()) + step.idle_ms
    const left = Math.min(idleEnd, since + step.longest_ms) - now
    if (left <= 0) break
    await pause(Math.min(left + 1, 500), signal)
  }
  say(presence.count() > 0 ? 'The time for visitors is over\n' : 'Nobody came, or came back: the job is closed\n')
  return 'success'
}
