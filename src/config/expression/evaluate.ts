import { assertNever } from '#kit/brand.ts'
import { matchesPattern } from '#config/pattern/pattern.ts'
import type { Work } from '#config/pattern/run.ts'
import type { Binary, Expression } from './parse-expression.ts'
import { at, type ExpressionProblem } from './problem.ts'

/** What an expression can come to. Undefined is a value that does not apply to this pipeline. */
export type Value = string | number | boolean | undefined

/** Finds a variable; `known` is false where nothing of that name exists. */
export type Variables = (name: string) => { readonly known: boolean; readonly value: Value }

/** Only `false` and what does not apply are false here: 0 and the empty text are true, unlike in logic statements (§A9). */
export const isTruthy = (value: Value): boolean => value !== false && value !== undefined

/** What an expression is evaluated in. */
interface Around {
  readonly variables: Variables
  readonly work: Work
}

/** The value of an expression, or the first thing that is wrong. `and` and `or` give their operand and stop early. */
export function evaluate(
  expression: Expression,
  variables: Variables,
  work: Work,
): { readonly value: Value } | ExpressionProblem {
  try {
    return { value: valueOf(expression, { variables, work }) }
  } catch (error) {
    if (error instanceof Stop) return error.why
    throw error
  }
}

/** Ends an evaluation from wherever it is. */
class Stop extends Error {
  readonly why: ExpressionProblem

  constructor(problem: string, part: { readonly from: number; readonly to: number }) {
    super(problem)
    this.why = at(problem, part.from, part.to)
  }
}

function valueOf(expression: Expression, around: Around): Value {
  switch (expression.type) {
    case 'literal':
      return expression.value
    case 'name': {
      const { known, value } = around.variables(expression.name)
      if (!known) throw new Stop(`Referred to a variable "${expression.name}" that does not exist`, expression)
      return value
    }
    case 'not':
      return !isTruthy(valueOf(expression.operand, around))
    case 'pattern':
      // Of use only on the right of `matches`; elsewhere it is a value like any other.
      return expression.source
    case 'binary':
      return valueOfBinary(expression, around)
    default:
      return assertNever(expression)
  }
}

type BinaryExpression = Extract<Expression, { type: 'binary' }>

function valueOfBinary(expression: BinaryExpression, around: Around): Value {
  const { operator, right } = expression
  const left = valueOf(expression.left, around)
  if (operator === 'and') return isTruthy(left) ? valueOf(right, around) : left
  if (operator === 'or') return isTruthy(left) ? left : valueOf(right, around)
  if (operator === 'matches') return matches(expression, left, around.work)
  return compare(operator, left, valueOf(right, around), expression)
}

function matches({ right, sign }: BinaryExpression, left: Value, work: Work): Value {
  if (right.type !== 'pattern') throw new Stop('Expected the right operand to "matches" operator to be a pattern', sign)
  if (left === undefined) return undefined
  if (typeof left !== 'string') throw new Stop('Expected string operands to "matches" operator', sign)
  return matchesPattern(right.source, left, work, 're2')
}

/** A comparison with what does not apply does not apply: `branch != "main"` is not true of a tag. */
function compare(
  operator: Exclude<Binary, 'and' | 'or' | 'matches'>,
  left: Value,
  right: Value,
  whole: BinaryExpression,
): Value {
  if (left === undefined || right === undefined) return undefined
  switch (operator) {
    case '==':
      return left === right
    case '!=':
      return left !== right
    case 'starts-with':
    case 'contains':
      if (typeof left !== 'string' || typeof right !== 'string') {
        throw new Stop(`Expected string operands to "${operator}" operator`, whole.sign)
      }
      return operator === 'contains' ? left.includes(right) : left.startsWith(right)
    case '>=':
    case '>':
    case '<=':
    case '<':
      if (typeof left !== 'number' || typeof right !== 'number') {
        throw new Stop(`Expected numeric operands to "${operator}" operator`, whole.sign)
      }
      return order(operator, left, right)
    default:
      return assertNever(operator)
  }
}

function order(operator: '>=' | '>' | '<=' | '<', left: number, right: number): boolean {
  switch (operator) {
    case '>=':
      return left >= right
    case '>':
      return left > right
    case '<=':
      return left <= right
    case '<':
      return left < right
    default:
      return assertNever(operator)
  }
}
