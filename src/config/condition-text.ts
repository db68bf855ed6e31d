import { evaluateText } from '#config/expression/evaluate-text.ts'
import { isTruthy } from '#config/expression/evaluate.ts'
import { parseExpression } from '#config/expression/parse-expression.ts'
import { explain, isProblem } from '#config/expression/problem.ts'
import { scalarNode } from '#config/yaml/node.ts'
import { lookupOf, variablesOf } from './pipeline/lookup.ts'

type Words = Readonly<Record<string, string | number | boolean | undefined>>

const most = 1_000_000

/** What is wrong with a condition over pipeline values, as far as it can be told without a pipeline. */
export function conditionProblem(source: string): string | undefined {
  const parsed = parseExpression(source)
  return isProblem(parsed) ? explain(parsed, source) : undefined
}

/** Whether a condition holds for a pipeline; one that cannot be evaluated does not. */
export function conditionHolds(source: string, values: Words, parameters: Words): boolean {
  const nodes = Object.entries(parameters).map(
    ([name, value]) => [name, scalarNode(value ?? null, { line: 1, column: 1 })] as const,
  )
  const result = evaluateText(source, variablesOf(lookupOf(values, new Map(nodes))), { left: most })
  return 'value' in result && isTruthy(result.value)
}
