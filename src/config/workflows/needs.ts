import type { PlannedJob } from '#core/plan.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { type ExpandedWorkflow, type Invocation, publicName } from './invocation.ts'

/** One job that another waits for, by its index in the workflow. */
export interface Need {
  readonly index: number
  readonly on: PlannedJob['needs'][number]['on']
}

/** A matrix that requires a matrix asks for the product of both: this many is more than anybody means. */
const mostNeeds = 100_000

/** Finds the jobs that each job requires; a name may stand for several, those of a matrix. */
export function needsOf(workflow: ExpandedWorkflow, trail: Trail): readonly (readonly Need[])[] {
  const byName = indexByName(workflow.invocations)
  let left = mostNeeds
  const needs = workflow.invocations.map((invocation, index) => {
    const found = left < 0 ? [] : needsOfOne(workflow, invocation, index, byName, trail)
    left -= found.length
    return found
  })
  if (left < 0)
    blame(trail, workflow.place, `Cannot plan workflow '${workflow.name}': its jobs have more than ${mostNeeds} needs`)
  return needs
}

function indexByName(invocations: readonly Invocation[]): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>()
  for (const [index, { answersTo }] of invocations.entries()) {
    for (const name of new Set(answersTo)) {
      const known = byName.get(name)
      if (known) known.push(index)
      else byName.set(name, [index])
    }
  }
  return byName
}

function needsOfOne(
  { name, invocations }: ExpandedWorkflow,
  invocation: Invocation,
  index: number,
  byName: ReadonlyMap<string, readonly number[]>,
  trail: Trail,
): readonly Need[] {
  const needs = new Map<number, Need>()
  for (const { target, on, place } of invocation.requires) {
    const found = (byName.get(target) ?? []).filter((other) => other !== index)
    const own = found.filter((other) => invocations[other]!.answersTo[0] === target)
    if (found.length === 0 || own.length > 1) {
      const who = `Job '${publicName(invocation.answersTo[0] ?? invocation.name)}' requires '${publicName(target)}'`
      const what = `which is the name of ${own.length} other jobs in workflow '${name}'`
      blame(within(trail, `job: ${invocation.name}`), place, `${who}, ${what}`)
      continue
    }
    for (const other of own.length === 1 ? own : found) needs.set(other, { index: other, on })
  }
  return [...needs.values()]
}
