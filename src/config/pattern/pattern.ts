import { parsePattern } from './parse-pattern.ts'
import type { Dialect } from './reader.ts'
import { type Program, programOf } from './program.ts'
import { runs, TooMuchWork, type Work } from './run.ts'
import { BadPattern } from './syntax.ts'

const longestPattern = 1000
const longestText = 1000
/** Enough for a thousand characters against a thousand ordinary states: some tens of milliseconds. */
export const usualWork = 2_000_000
const mostKnown = 200
const known = new Map<string, Program | string>()

/** Why a pattern cannot be used, if so. */
export function patternProblem(pattern: string, dialect: Dialect = 'java'): string | undefined {
  const program = programFor(pattern, dialect)
  return typeof program === 'string' ? program : undefined
}

/**
 * Whether the whole of a text matches a pattern. What cannot be used matches nothing,
 * and neither does a text longer than any branch, or a match that takes more than the work it is given
 * (which then is below zero).
 */
export function matchesPattern(
  pattern: string,
  text: string,
  work: Work = { left: usualWork },
  dialect: Dialect = 'java',
): boolean {
  const program = programFor(pattern, dialect)
  if (typeof program === 'string' || text.length > longestText) return false
  const codes = Array.from(text, (char) => char.codePointAt(0)!)
  try {
    return runs(program, { codes, work }, 0, codes.length)
  } catch (error) {
    if (error instanceof TooMuchWork) return false
    throw error
  }
}

/** The program of a pattern, or why there is none. The same few patterns come back with every pipeline. */
function programFor(pattern: string, dialect: Dialect): Program | string {
  const key = `${dialect} ${pattern}`
  const before = known.get(key)
  if (before !== undefined) return before
  const program = build(pattern, dialect)
  if (known.size >= mostKnown) known.clear()
  known.set(key, program)
  return program
}

function build(pattern: string, dialect: Dialect): Program | string {
  if (pattern.length > longestPattern) return `it has more than ${longestPattern} characters`
  try {
    return programOf(parsePattern(pattern, dialect))
  } catch (error) {
    if (error instanceof BadPattern) return error.message
    throw error
  }
}
