import type { Work } from '#config/pattern/run.ts'
import { evaluate, type Value, type Variables } from './evaluate.ts'
import { parseExpression } from './parse-expression.ts'
import { explain, isProblem } from './problem.ts'

/** The value of an expression in text form, or a message that shows what is wrong with it. */
export function evaluateText(
  source: string,
  variables: Variables,
  work: Work,
): { readonly value: Value } | { readonly message: string } {
  const expression = parseExpression(source)
  if (isProblem(expression)) return { message: explain(expression, source) }
  const result = evaluate(expression, variables, work)
  return isProblem(result) ? { message: explain(result, source) } : result
}
