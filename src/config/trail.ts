import type { Notes } from './notes.ts'
import type { Work } from './pattern/run.ts'
import type { Problem } from './problem.ts'
import type { Place } from './yaml/node.ts'

/** The way the compiler came, and the problems it met: shared by everything that looks at one configuration. */
export interface Trail {
  readonly problems: Problem[]
  readonly path: readonly string[]
  /** An unknown key that looks like no known one is ignored, as version 2 always did. */
  readonly isTolerant: boolean
  /** What may still be spent on matching the patterns of users. */
  readonly work: Work
  readonly notes: Notes
}

/** More problems than a person reads; the rest would be echoes. */
const mostProblems = 100
/** About half a second. */
const mostWork = 5_000_000

/** The start of a trail, with nothing found yet. */
export const newTrail = (isTolerant = false): Trail => ({
  problems: [],
  path: [],
  isTolerant,
  work: { left: mostWork },
  notes: { leftOut: [], orbs: [] },
})

/** The same trail one step further in: `within(trail, 'job: build')`. */
export function within(trail: Trail, step: string): Trail {
  return { ...trail, path: [...trail.path, step] }
}

/** Whether more problems would not be noted, and need not be looked for. */
export const isFull = (trail: Trail): boolean => trail.problems.length >= mostProblems

/** Notes a problem. One place is blamed once for one thing, however often it is met. */
export function blame(trail: Trail, place: Place | undefined, message: string): void {
  const { problems, path } = trail
  if (isFull(trail)) return
  const known = problems.some(
    (problem) => problem.message === message && problem.line === place?.line && problem.column === place?.column,
  )
  if (known) return
  problems.push(place ? { message, line: place.line, column: place.column, path } : { message, path })
}
