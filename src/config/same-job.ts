import { isSame } from './logic.ts'
import type { ExpandedJob } from './expanded-job.ts'
import type { Invocation } from './workflows/invocation.ts'

/** Whether two invocations run the very same thing, so that one compiled job serves both. */
export function isSameJob(a: Invocation, b: Invocation): boolean {
  if (a.kind !== b.kind || a.key !== b.key) return false
  return a.job === b.job || (a.job !== undefined && b.job !== undefined && isSameBody(a.job, b.job))
}

function isSameBody(a: ExpandedJob, b: ExpandedJob): boolean {
  if (a.steps.length !== b.steps.length || !isSame(a.map, b.map)) return false
  return a.steps.every(({ name, body }, i) => name === b.steps[i]!.name && isSame(body, b.steps[i]!.body))
}
