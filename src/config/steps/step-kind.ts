import type { Step, When } from '#core/plan.ts'
import { asWord, textAt } from '#config/read.ts'
import type { Trail } from '#config/trail.ts'
import { get, isNull, type MapNode } from '#config/yaml/node.ts'

/** One kind of built-in step: the keys it knows, and how it becomes a step of the plan. */
export interface StepKind {
  readonly keys: readonly string[]
  /** The key a text given instead of a mapping stands for: `run: make`. */
  readonly shorthand?: string
  /** Keys that mean nothing are ignored unless they look like a typo, as working configurations have some. */
  readonly isTolerant?: boolean
  /** May stand alone, as a word without arguments. */
  readonly bare?: boolean
  /** Undefined where a problem was noted, or where there is nothing to run. */
  readonly read: (body: MapNode, trail: Trail) => Step | undefined
}

/** The keys that every step has. */
export const commonKeys = ['name', 'when']

const whens: readonly When[] = ['on_success', 'on_fail', 'always']

/** The name and the condition of a step, or what its kind calls usual. */
export function nameAndWhen(body: MapNode, usualName: string, usualWhen: When, trail: Trail) {
  const when = get(body, 'when')
  return {
    name: textAt(body, 'name', trail) || usualName,
    when: (when && !isNull(when) ? asWord(when, whens, trail, 'when') : undefined) ?? usualWhen,
  }
}
