import type { ExpandedWorkflow, Invocation } from './invocation.ts'

/** Tells what invocations run: those of one signature are compared, those of different ones are different. */
export interface Likeness {
  readonly signature: (invocation: Invocation) => string
  readonly isSame: (a: Invocation, b: Invocation) => boolean
}

/**
 * Gives each job a name of its own: unique in its workflow and, as compiled jobs stand in one mapping,
 * with one meaning in the whole configuration. What is already taken gets `-1`, `-2` … (§A10).
 */
export function withUniqueNames(
  workflows: readonly ExpandedWorkflow[],
  likeness: Likeness,
): readonly ExpandedWorkflow[] {
  const holders = new Map<string, Invocation>()
  const suffixes = new Map<string, number>()
  /** Names given so far to one thing under one name: a second workflow uses the same ones. */
  const given = new Map<string, string[]>()
  return workflows.map((workflow) => {
    const taken = new Set<string>()
    const passed = new Map<string, number>()
    const isFree = (name: string) => !taken.has(name) && !holders.has(name)

    const nameFor = (invocation: Invocation): string => {
      const { name, kind } = invocation
      // An approval has no body, and so shares its name with anything.
      if (kind === 'approval' && !taken.has(name)) return name
      if (isFree(name)) return name
      const alike = `${name}\0${likeness.signature(invocation)}`
      const names = given.get(alike) ?? []
      for (let i = passed.get(alike) ?? 0; i < names.length; i++) {
        passed.set(alike, i + 1)
        const holder = holders.get(names[i]!)
        if (!taken.has(names[i]!) && holder && likeness.isSame(holder, invocation)) return names[i]!
      }
      let suffix = (suffixes.get(name) ?? 0) + 1
      while (!isFree(`${name}-${suffix}`)) suffix++
      suffixes.set(name, suffix)
      return `${name}-${suffix}`
    }

    const invocations = workflow.invocations.map((invocation) => {
      const name = nameFor(invocation)
      taken.add(name)
      if (invocation.kind !== 'approval' && !holders.has(name)) {
        holders.set(name, invocation)
        const alike = `${invocation.name}\0${likeness.signature(invocation)}`
        const names = given.get(alike)
        if (names) names.push(name)
        else given.set(alike, [name])
      }
      return name === invocation.name ? invocation : { ...invocation, name }
    })
    return { ...workflow, invocations }
  })
}
