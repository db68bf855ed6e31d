import type { LookAgain } from '#contract/rh/live.ts'

type Kind = 'project' | 'pipeline' | 'workflow' | 'job'

/**
 * Readings that a change of one thing can make stale, by the first word of their key. A change is told of every thing
 * it concerns, from the job up to the project, so that each needs to name only what shows that thing.
 */
const stale: Readonly<Record<Kind, readonly string[]>> = {
  project: ['projects', 'project', 'pipelines', 'found'],
  pipeline: ['pipelines', 'pipeline', 'workflows'],
  workflow: ['workflow', 'jobs', 'waiting', 'failures'],
  job: ['job', 'artifacts', 'tests'],
}

/** Readings of one thing, whose key ends with its id: a change of another thing of its kind leaves them as they are. */
const single: Readonly<Record<Kind, readonly string[]>> = {
  project: [],
  pipeline: ['workflows'],
  workflow: ['workflow', 'jobs', 'waiting', 'failures'],
  job: ['job', 'artifacts', 'tests'],
}

/** Whether what was read under a key may have changed, when the service says that a topic did. */
export function isTouched(topic: string, [name, last]: readonly unknown[]): boolean {
  const [, kind, id] = /^(project|pipeline|workflow|job):(.*)$/.exec(topic) ?? []
  // A topic that a newer server knows, and this page does not: better to read too much than to show what is old.
  if (kind === undefined) return true
  const word = String(name)
  return stale[kind as Kind].includes(word) && (!single[kind as Kind].includes(word) || last === id)
}

/** The topic of a `look` event; nothing where the data is not what it should be. */
export function topicIn(data: string): string {
  try {
    return (JSON.parse(data) as LookAgain).topic
  } catch {
    return ''
  }
}
