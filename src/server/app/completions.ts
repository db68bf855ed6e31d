import type { WorkflowEvent } from '#core/workflow.ts'
import type { World } from './world.ts'

/** How many workflows and builds this process has seen to their end, by status. */
export interface Completions {
  readonly workflows: Map<string, number>
  readonly jobs: Map<string, number>
}

const counted = new WeakMap<World, Completions>()

/** The counts of a world, from its start. */
export function completionsOf(world: World): Completions {
  const known = counted.get(world)
  if (known) return known
  const made = { workflows: new Map<string, number>(), jobs: new Map<string, number>() }
  counted.set(world, made)
  return made
}

/** Counts what a durable change ended. */
export function countCompletions(world: World, events: readonly WorkflowEvent[]): void {
  for (const event of events) {
    if (event.type !== 'job-completed' && event.type !== 'workflow-completed') continue
    const { workflows, jobs } = completionsOf(world)
    const of = event.type === 'job-completed' ? jobs : workflows
    of.set(event.status, (of.get(event.status) ?? 0) + 1)
  }
}
