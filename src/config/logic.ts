import { matchesPattern, patternProblem } from './pattern/pattern.ts'
import { asText } from './read.ts'
import { blame, type Trail } from './trail.ts'
import { get, type Node } from './yaml/node.ts'
import { isSame } from './yaml/same.ts'

const operators = ['and', 'or', 'not', 'equal', 'matches'] as const
type Operator = (typeof operators)[number]

/** Whether a condition holds: a logic statement, or any value taken for its truth (§A9). Nothing is left to substitute. */
export function holds(node: Node, trail: Trail): boolean {
  switch (node.kind) {
    case 'scalar':
      return isTrue(node.value)
    case 'list':
      blame(trail, node, 'Cannot use a sequence as a condition')
      return false
    case 'map': {
      const [entry, another] = node.entries
      const operator = operators.find((known) => known === entry?.[0])
      if (!entry) return false
      if (!operator) return true
      if (another)
        blame(trail, node, `A logic statement must have exactly one key: found ${[...node.entries.keys()].join(', ')}`)
      return apply(operator, entry[1].value, trail)
    }
  }
}

const isTrue = (value: unknown) => value !== false && value !== null && value !== 0 && value !== ''

function apply(operator: Operator, operand: Node, trail: Trail): boolean {
  switch (operator) {
    case 'and':
      return operands(operator, operand, trail).every((each) => holds(each, trail))
    case 'or':
      return operands(operator, operand, trail).some((each) => holds(each, trail))
    case 'not':
      return !holds(operand, trail)
    case 'equal': {
      const [first, ...rest] = operands(operator, operand, trail)
      return first !== undefined && rest.every((each) => isEqual(first, each))
    }
    case 'matches':
      return matches(operand, trail)
  }
}

function operands(operator: Operator, operand: Node, trail: Trail): readonly Node[] {
  if (operand.kind === 'list' && operand.items.length > 0) return operand.items
  blame(trail, operand, `The statement [${operator}] needs a sequence of at least one value`)
  return []
}

function matches(operand: Node, trail: Trail): boolean {
  const [pattern, value] = [get(operand, 'pattern'), get(operand, 'value')]
  if (!pattern || !value) {
    blame(trail, operand, 'The statement [matches] needs [pattern] and [value]')
    return false
  }
  const text = asText(pattern, trail, 'pattern')
  if (text === undefined) return false
  const problem = patternProblem(text)
  if (problem !== undefined) blame(trail, pattern, `Cannot use pattern ${text}: ${problem}`)
  return value.kind === 'scalar' && matchesPattern(text, value.text, trail.work)
}

/** Equal in type and value. A pipeline value that does not apply is null, and equals the empty text. */
export const isEqual = (a: Node, b: Node): boolean => isSame(a, b, (one, other) => (one ?? '') === (other ?? ''))
