import type { ExpandedWorkflow, Invocation } from './invocation.ts'

/**
 * Gives each job a name of its own: unique in its workflow and, as compiled jobs stand in one mapping,
 * with one meaning in the whole configuration. What is already taken gets `-1`, `-2` … (§A10).
 */
export function withUniqueNames(
  workflows: readonly ExpandedWorkflow[],
  signature: (invocation: Invocation) => string,
): readonly ExpandedWorkflow[] {
  const meanings = new Map<string, string>()
  return workflows.map((workflow) => {
    const taken = new Set<string>()
    const invocations = workflow.invocations.map((invocation) => {
      const meaning = invocation.job || invocation.key !== undefined ? signature(invocation) : ''
      let name = invocation.name
      for (let n = 1; taken.has(name) || (meanings.get(name) ?? meaning) !== meaning; n++)
        name = `${invocation.name}-${n}`
      taken.add(name)
      meanings.set(name, meaning)
      return name === invocation.name ? invocation : { ...invocation, name }
    })
    return { ...workflow, invocations }
  })
}
