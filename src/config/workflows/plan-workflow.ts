import type { PlannedJob, PlannedWorkflow } from '#core/plan.ts'
import { readJobBody } from '#config/read-job.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { type ExpandedWorkflow, type Invocation, publicName } from './invocation.ts'
import { dependencyOrder } from './order.ts'

/** The part of a workflow that runs for this pipeline: filtered, in dependency order, every job complete. */
export function planWorkflow(workflow: ExpandedWorkflow, outer: Trail): PlannedWorkflow | undefined {
  const trail = within(outer, `workflow: ${workflow.name}`)
  const { invocations, name, maxAutoReruns } = workflow
  const needs = needsOf(workflow, trail)
  const indexes = needs.map((list) => list.map((need) => need.index))
  const sorted = dependencyOrder(indexes)
  if ('ring' in sorted) {
    blameRing(workflow, sorted.ring, trail)
    return undefined
  }
  const kept = keptOf(invocations, indexes, sorted.order)
  const jobs = sorted.order
    .filter((index) => kept.has(index))
    .map((index) =>
      planJob(
        invocations,
        index,
        needs[index]!.filter((need) => kept.has(need.index)),
        trail,
      ),
    )
  return jobs.length === 0 ? undefined : { name, jobs, ...(maxAutoReruns !== undefined && { maxAutoReruns }) }
}

type Need = { readonly index: number; readonly on: PlannedJob['needs'][number]['on'] }

/** Finds the jobs that each job requires; a name may stand for several, those of a matrix. */
function needsOf(workflow: ExpandedWorkflow, trail: Trail): readonly (readonly Need[])[] {
  const byName = new Map<string, number[]>()
  for (const [index, { answersTo }] of workflow.invocations.entries()) {
    for (const name of new Set(answersTo)) byName.set(name, [...(byName.get(name) ?? []), index])
  }
  return workflow.invocations.map((invocation, index) => {
    const needs = new Map<number, Need>()
    for (const { target, on, place } of invocation.requires) {
      const found = (byName.get(target) ?? []).filter((other) => other !== index)
      const own = found.filter((other) => workflow.invocations[other]!.answersTo[0] === target)
      if (found.length === 0 || own.length > 1) {
        const problem = `Job '${publicName(invocation.answersTo[0] ?? invocation.name)}' requires '${publicName(target)}', which is the name of ${own.length} other jobs in workflow '${workflow.name}'`
        blame(within(trail, `job: ${invocation.name}`), place, problem)
        continue
      }
      for (const other of own.length === 1 ? own : found) needs.set(other, { index: other, on })
    }
    return [...needs.values()]
  })
}

/** A job stays if its filters let it, and something it needs stays, if it needs anything (§A10). */
function keptOf(invocations: readonly Invocation[], needs: readonly (readonly number[])[], order: readonly number[]) {
  const kept = new Set<number>()
  for (const index of order) {
    const stays = needs[index]!.length === 0 || needs[index]!.some((need) => kept.has(need))
    if (invocations[index]!.runs && stays) kept.add(index)
  }
  return kept
}

function planJob(invocations: readonly Invocation[], index: number, needs: readonly Need[], trail: Trail): PlannedJob {
  const { name, kind, contexts, key, job } = invocations[index]!
  const body = job && !job.isHomeless ? readJobBody(job.map, job.steps, within(trail, `job: ${name}`)) : undefined
  return {
    name,
    kind,
    needs: needs.map((need) => ({ job: invocations[need.index]!.name, on: need.on })),
    contexts,
    ...(key !== undefined && { key }),
    ...(body && { body }),
  }
}

function blameRing({ invocations, name, place }: ExpandedWorkflow, ring: readonly number[], trail: Trail): void {
  if (invocations.every(({ requires }) => requires.length > 0)) {
    blame(trail, place, 'At least one job in the workflow must have no dependencies.')
  }
  const names = ring.map((index) => invocations[index]!.name).join(', ')
  blame(trail, place, `Cannot order the jobs of workflow '${name}' as they require each other: ${names}`)
}
