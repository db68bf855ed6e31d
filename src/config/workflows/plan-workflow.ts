import type { JobBody, PlannedJob, PlannedWorkflow } from '#core/plan.ts'
import type { ExpandedJob } from '#config/expanded-job.ts'
import type { Why } from '#config/notes.ts'
import { readJobBody } from '#config/read-job.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import type { ExpandedWorkflow, Invocation } from './invocation.ts'
import { type Need, needsOf } from './needs.ts'
import { dependencyOrder } from './order.ts'

/** Bodies read so far: a job that several workflows run is read once. */
export type Bodies = Map<ExpandedJob, JobBody | undefined>

/**
 * The part of a workflow that runs for this pipeline: filtered, in dependency order, every job complete.
 * What is filtered out is read as well: a configuration is not right on one branch and wrong on another.
 */
export function planWorkflow(workflow: ExpandedWorkflow, bodies: Bodies, outer: Trail): PlannedWorkflow | undefined {
  const trail = within(outer, `workflow: ${workflow.name}`)
  const { invocations, name, maxAutoReruns } = workflow
  for (const invocation of invocations) readBody(invocation, bodies, trail)
  const needs = needsOf(workflow, trail)
  const indexes = needs.map((list) => list.map((need) => need.index))
  const sorted = dependencyOrder(indexes)
  if ('ring' in sorted) {
    blameRing(workflow, sorted.ring, trail)
    return undefined
  }
  const kept = keptOf(invocations, indexes, sorted.order)
  noteLeftOut(workflow, indexes, kept, trail)
  const jobs = [...kept].map((index) => {
    const left = needs[index]!.filter((need) => kept.has(need.index))
    return planJob(invocations, invocations[index]!, left, bodies)
  })
  return jobs.length === 0 ? undefined : { name, jobs, ...(maxAutoReruns !== undefined && { maxAutoReruns }) }
}

function readBody({ name, job }: Invocation, bodies: Bodies, trail: Trail): void {
  if (!job || job.isHomeless || bodies.has(job)) return
  bodies.set(job, readJobBody(job.map, job.steps, within(trail, `job: ${name}`)))
}

/** A job stays if its filters let it, and something it needs stays, if it needs anything (§A10). In order. */
function keptOf(
  invocations: readonly Invocation[],
  needs: readonly (readonly number[])[],
  order: readonly number[],
): ReadonlySet<number> {
  const kept = new Set<number>()
  for (const index of order) {
    const stays = needs[index]!.length === 0 || needs[index]!.some((need) => kept.has(need))
    if (invocations[index]!.runs && stays) kept.add(index)
  }
  return kept
}

function noteLeftOut(
  { name, invocations }: ExpandedWorkflow,
  needs: readonly (readonly number[])[],
  kept: ReadonlySet<number>,
  trail: Trail,
): void {
  for (const [index, { name: job, runs, place }] of invocations.entries()) {
    if (kept.has(index)) continue
    const jobs = needs[index]!.map((need) => invocations[need]!.name)
    const why: Why = runs ? { type: 'needs', jobs } : { type: 'filters' }
    trail.notes.leftOut.push({ workflow: name, job, line: place.line, why })
  }
}

function planJob(
  all: readonly Invocation[],
  { name, kind, contexts, key, job }: Invocation,
  needs: readonly Need[],
  bodies: Bodies,
): PlannedJob {
  const body = job && bodies.get(job)
  return {
    name,
    kind,
    needs: needs.map((need) => ({ job: all[need.index]!.name, on: need.on })),
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
