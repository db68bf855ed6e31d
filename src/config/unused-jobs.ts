import { parse } from './parse.ts'
import { get, type Node } from './yaml/node.ts'

/** A job that is defined and run by nothing. */
export interface UnusedJob {
  readonly job: string
  readonly line: number
}

/** The jobs that no workflow mentions, not even one that its condition leaves out. */
export function unusedJobs(source: string): readonly UnusedJob[] {
  const { root } = parse(source)
  const [jobs, workflows] = [get(root, 'jobs'), get(root, 'workflows')]
  if (jobs?.kind !== 'map' || workflows?.kind !== 'map') return []
  const mentioned = new Set([...mentionedIn(workflows), ...mentionedIn(get(root, 'job-groups'))])
  // A name that is written as a template may be any.
  if ([...mentioned].some((name) => name.includes('<<'))) return []
  return [...jobs.entries]
    .filter(([name]) => !mentioned.has(name))
    .map(([job, { place }]) => ({ job, line: place.line }))
}

function mentionedIn(node: Node | undefined): readonly string[] {
  if (node?.kind !== 'map') return []
  return [...node.entries.values()].flatMap(({ value }) => {
    const jobs = get(value, 'jobs')
    return jobs?.kind === 'list' ? jobs.items.flatMap(namesIn) : []
  })
}

function namesIn(item: Node): readonly string[] {
  if (item.kind === 'scalar') return [item.text]
  return item.kind === 'map' ? [...item.entries.keys()] : []
}
