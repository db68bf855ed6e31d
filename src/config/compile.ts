import type { Plan } from '#core/plan.ts'
import type { CompileInput } from './compile-input.ts'
import { compileRoot } from './compile-root.ts'
import { TooLarge } from './definitions/scope.ts'
import type { LeftOut, UsedOrb } from './notes.ts'
import { parse, type Parsed } from './parse.ts'
import type { Problem } from './problem.ts'
import { blame, newTrail } from './trail.ts'

export type { CompileInput } from './compile-input.ts'

/** A plan, or everything that is wrong. */
export type Compiled =
  | {
      readonly ok: true
      readonly plan: Plan
      readonly text: string
      /** What the configuration defines and this pipeline does not run. */
      readonly leftOut: readonly LeftOut[]
      readonly orbs: readonly UsedOrb[]
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Compiles a configuration for one pipeline. Any text whatsoever yields a result; nothing is thrown. */
export function compile(source: string, input: CompileInput): Compiled {
  return compileParsed(parse(source), input)
}

/** The version a configuration declares, if it declares one that we know. */
export function declaredVersion(source: string): '1.0' | '2' | '2.1' | undefined {
  return parse(source).version
}

/** Compiles a configuration that was parsed before, for one more pipeline. */
export function compileParsed({ problems, version, root, orbs }: Parsed, input: CompileInput): Compiled {
  const trail = newTrail(version !== '2.1')
  trail.problems.push(...problems)
  if (!version || !root) return failed(trail.problems)
  try {
    const { plan, text } = compileRoot(root, version, input, orbs, trail)
    if (trail.work.left < 0)
      blame(trail, undefined, 'Cannot compile configuration: its patterns take too long to match')
    return trail.problems.length > 0 ? failed(trail.problems) : { ok: true, plan, text: text(), ...trail.notes }
  } catch (error) {
    if (!(error instanceof TooLarge || error instanceof RangeError)) throw error
    const why = error instanceof TooLarge ? error.message : 'Cannot compile configuration: it is nested too deeply'
    blame(trail, undefined, why)
    return failed(trail.problems)
  }
}

/** In the order of the text, as a person would go through them. */
function failed(problems: readonly Problem[]): Compiled {
  const line = (problem: Problem) => problem.line ?? 0
  const column = (problem: Problem) => problem.column ?? 0
  return { ok: false, problems: problems.toSorted((a, b) => line(a) - line(b) || column(a) - column(b)) }
}
