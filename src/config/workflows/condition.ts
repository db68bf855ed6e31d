import { pipelineOf, type Scope } from '#config/definitions/scope.ts'
import { isTruthy } from '#config/expression/evaluate.ts'
import { evaluateText } from '#config/expression/evaluate-text.ts'
import { holds } from '#config/logic.ts'
import { variablesOf } from '#config/pipeline/lookup.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, type Trail } from '#config/trail.ts'
import { get, type MapNode, type Node, type ScalarNode } from '#config/yaml/node.ts'

/** Which of the `when` and `unless` of a workflow keeps it from running, if one does. */
export function keptOutBy(workflow: MapNode, scope: Scope, trail: Trail): 'when' | 'unless' | undefined {
  const [when, unless] = [get(workflow, 'when'), get(workflow, 'unless')]
  if (when && unless) blame(trail, unless, 'Cannot use both [when] and [unless] in one workflow')
  if (when && !conditionHolds(when, scope, trail)) return 'when'
  return unless && conditionHolds(unless, scope, trail) ? 'unless' : undefined
}

/** A plain text is an expression; anything with `<< >>` in it, and every mapping, is a logic statement (§A9). */
function conditionHolds(node: Node, scope: Scope, trail: Trail): boolean {
  const isExpression = node.kind === 'scalar' && typeof node.value === 'string' && !node.open
  return isExpression ? expressionHolds(node, scope, trail) : holds(substitute(node, scope, trail), trail)
}

/** Whether an expression in text form is true of this pipeline. */
export function expressionHolds(node: ScalarNode, scope: Scope, trail: Trail): boolean {
  const result = evaluateText(node.text, variablesOf(pipelineOf(scope)), trail.work)
  if ('value' in result) return isTruthy(result.value)
  blame(trail, node, result.message)
  return false
}
