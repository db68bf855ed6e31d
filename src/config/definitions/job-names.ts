import { blame, type Trail } from '#config/trail.ts'
import { get, type MapNode } from '#config/yaml/node.ts'

const plain = /^[A-Za-z][A-Za-z\s\d_-]*$/

/**
 * Notes names of jobs that a configuration may not give (A2). What runs can be called anything by the `name` of its invocation,
 * so compiled configurations, which are of version 2, are not looked at.
 */
export function checkJobNames(root: MapNode, trail: Trail): void {
  const jobs = get(root, 'jobs')
  if (jobs?.kind !== 'map') return
  const known = new Map<string, string>()
  for (const [name, { place }] of jobs.entries) {
    if (!plain.test(name))
      blame(
        trail,
        place,
        `The name of a job must begin with a letter and have only letters, digits, blanks, _ and - in it: ${name}`,
      )
    const other = known.get(name.toLowerCase())
    if (other !== undefined) blame(trail, place, `Names of jobs must differ by more than case: ${name} and ${other}`)
    else known.set(name.toLowerCase(), name)
  }
}
