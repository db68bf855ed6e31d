import type { ExpandedWorkflow, Invocation } from './invocation.ts'

/**
 * Gives each job a name of its own: unique in its workflow and, as compiled jobs stand in one mapping,
 * with one meaning in the whole configuration. What is already taken gets `-1`, `-2` … (§A10).
 */
export function withUniqueNames(
  workflows: readonly ExpandedWorkflow[],
  isSame: (a: Invocation, b: Invocation) => boolean,
): readonly ExpandedWorkflow[] {
  const holders = new Map<string, Invocation>()
  /** The last suffix tried, as thousands of equal names would make every search start from one. */
  const suffixes = new Map<string, number>()
  return workflows.map((workflow) => {
    const taken = new Set<string>()
    const isFree = (name: string, invocation: Invocation) => {
      // An approval has no body, and so shares its name with anything.
      const holder = invocation.kind === 'approval' ? undefined : holders.get(name)
      return !taken.has(name) && (!holder || isSame(holder, invocation))
    }
    const invocations = workflow.invocations.map((invocation) => {
      let name = invocation.name
      let suffix = taken.has(name) ? (suffixes.get(name) ?? 0) : 0
      while (!isFree(name, invocation)) name = `${invocation.name}-${++suffix}`
      suffixes.set(invocation.name, suffix)
      taken.add(name)
      if (invocation.kind !== 'approval') holders.set(name, invocation)
      return name === invocation.name ? invocation : { ...invocation, name }
    })
    return { ...workflow, invocations }
  })
}
