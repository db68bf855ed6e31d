import { lex, type Symbol, type Token } from './lex.ts'
import { at, type ExpressionProblem, isProblem } from './problem.ts'

/** Every operator with two operands. */
export type Binary = 'and' | 'or' | '==' | '!=' | '>=' | '<=' | '>' | '<' | 'starts-with' | 'contains' | 'matches'

/** An expression as a tree; each part knows where it stands. */
export type Expression = { readonly from: number; readonly to: number } & (
  | { readonly type: 'literal'; readonly value: string | number | boolean }
  | { readonly type: 'pattern'; readonly source: string }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'not'; readonly operand: Expression }
  | {
      readonly type: 'binary'
      readonly operator: Binary
      readonly left: Expression
      readonly right: Expression
      /** Where the operator itself stands: what is wrong with its operands is shown there. */
      readonly sign: { readonly from: number; readonly to: number }
    }
)

/** From the loosest to the tightest. */
const levels: readonly (readonly Binary[])[] = [
  ['or'],
  ['and'],
  ['==', '!=', 'starts-with', 'contains', 'matches'],
  ['>=', '>', '<=', '<'],
]
const deepest = 100

interface Reading {
  readonly tokens: readonly Token[]
  next: number
  depth: number
}

/** Reads an expression, or says what is wrong with it. */
export function parseExpression(source: string): Expression | ExpressionProblem {
  const tokens = lex(source)
  if (isProblem(tokens)) return tokens
  const reading: Reading = { tokens, next: 0, depth: 0 }
  const expression = parseLevel(reading, 0)
  if (isProblem(expression)) return expression
  const rest = reading.tokens[reading.next]!
  if (rest.type === 'end') return expression
  // Between two expressions a word can only have been meant as an operator.
  const isBetween = rest.type === 'name' && reading.tokens[reading.next + 1]?.type !== 'end'
  const problem = isBetween ? `Unknown operator "${rest.name}"` : 'Unexpected additional input'
  return at(problem, rest.from, rest.to)
}

function parseLevel(reading: Reading, level: number): Expression | ExpressionProblem {
  const operators = levels[level]
  if (!operators) return parseUnary(reading)
  let left = parseLevel(reading, level + 1)
  while (!isProblem(left)) {
    const token = reading.tokens[reading.next]!
    const operator = token.type === 'symbol' ? operators.find((known) => known === token.symbol) : undefined
    if (!operator) return left
    reading.next++
    const right = parseLevel(reading, level + 1)
    if (isProblem(right)) return right
    left = { type: 'binary', operator, left, right, sign: token, from: left.from, to: right.to }
  }
  return left
}

function parseUnary(reading: Reading): Expression | ExpressionProblem {
  const token = reading.tokens[reading.next]!
  if (reading.depth > deepest) return at('Expression nested too deeply', token.from, token.to)
  if (!isSymbol(token, 'not') && !isSymbol(token, '!')) return parsePrimary(reading)
  reading.next++
  reading.depth++
  const operand = parseUnary(reading)
  reading.depth--
  return isProblem(operand) ? operand : { type: 'not', operand, from: token.from, to: operand.to }
}

function parsePrimary(reading: Reading): Expression | ExpressionProblem {
  const token = reading.tokens[reading.next]!
  if (token.type === 'end') return at('Expected an expression', token.from, token.to)
  reading.next++
  if (token.type !== 'symbol') return token
  if (token.symbol !== '(') return at('Expected an expression', token.from, token.to)
  reading.depth++
  const inner = parseLevel(reading, 0)
  reading.depth--
  if (isProblem(inner)) return inner
  const close = reading.tokens[reading.next]!
  if (!isSymbol(close, ')')) return at('Expected ")"', close.from, close.to)
  reading.next++
  return inner
}

const isSymbol = (token: Token, symbol: Symbol) => token.type === 'symbol' && token.symbol === symbol
