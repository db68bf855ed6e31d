import { patternProblem } from '#config/pattern/pattern.ts'
import { at, type ExpressionProblem, isProblem } from './problem.ts'

/** Every sign and word that has a meaning of its own. */
export type Symbol =
  | '=='
  | '!='
  | '>='
  | '<='
  | '>'
  | '<'
  | '('
  | ')'
  | '!'
  | 'and'
  | 'or'
  | 'not'
  | 'starts-with'
  | 'contains'
  | 'matches'

/** The words and signs of an expression; each knows where it stands. */
export type Token = { readonly from: number; readonly to: number } & (
  | { readonly type: 'symbol'; readonly symbol: Symbol }
  | { readonly type: 'literal'; readonly value: string | number | boolean }
  | { readonly type: 'pattern'; readonly source: string }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'end' }
)

const words: Readonly<Record<string, Symbol | boolean>> = {
  and: 'and',
  AND: 'and',
  or: 'or',
  OR: 'or',
  not: 'not',
  NOT: 'not',
  true: true,
  TRUE: true,
  false: false,
  FALSE: false,
  'starts-with': 'starts-with',
  contains: 'contains',
  matches: 'matches',
}
const signs = ['==', '!=', '>=', '<=', '>', '<', '(', ')', '!'] as const
const name = /[A-Za-z][\w?-]*(?:\.[\w?-]+)*/y
const number = /\d+/y
const longestPattern = 256
const largest = 2n ** 63n - 1n

/** Cuts an expression into tokens, the last being its end; or says what cannot be read. */
export function lex(source: string): readonly Token[] | ExpressionProblem {
  const tokens: Token[] = []
  let from = 0
  while (from < source.length) {
    if (/\s/.test(source[from]!)) {
      from++
      continue
    }
    const token = next(source, from)
    if (isProblem(token)) return token
    tokens.push(token)
    from = token.to
  }
  tokens.push({ type: 'end', from: source.length, to: source.length })
  return tokens
}

function next(source: string, from: number): Token | ExpressionProblem {
  const char = charAt(source, from)
  const word = matchAt(name, source, from)
  if (word !== undefined) return wordToken(word, from)
  const digits = matchAt(number, source, from)
  if (digits !== undefined) return numberToken(digits, from)
  if (char === '"') return quoted(source, from, '"', 'string')
  if (char === '/') return quoted(source, from, '/', 'pattern')
  const sign = signs.find((each) => source.startsWith(each, from))
  if (sign) return { type: 'symbol', symbol: sign, from, to: from + sign.length }
  if (char === '=') {
    const found = charAt(source, from + 1)
    return at(`Incomplete token, expected "==", found "=${found}"`, from + 1, from + 1 + found.length)
  }
  return at(`Unexpected character '${char}'`, from, from + char.length)
}

/** A character beyond 16 bits is one character. */
function charAt(source: string, from: number): string {
  const code = source.codePointAt(from)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function matchAt(pattern: RegExp, source: string, from: number): string | undefined {
  pattern.lastIndex = from
  return pattern.exec(source)?.[0]
}

function wordToken(word: string, from: number): Token {
  const to = from + word.length
  const meaning = Object.hasOwn(words, word) ? words[word] : undefined
  if (meaning === undefined) return { type: 'name', name: word, from, to }
  return typeof meaning === 'boolean'
    ? { type: 'literal', value: meaning, from, to }
    : { type: 'symbol', symbol: meaning, from, to }
}

function numberToken(digits: string, from: number): Token | ExpressionProblem {
  const to = from + digits.length
  if (digits.length > 19 || BigInt(digits) > largest) return at(`Number out of range: ${digits}`, from, to)
  return { type: 'literal', value: Number(digits), from, to }
}

/** A string or a pattern up to its closing sign. A backslash keeps the sign, and in a string itself, from its meaning. */
function quoted(source: string, from: number, close: '"' | '/', type: 'string' | 'pattern'): Token | ExpressionProblem {
  let text = ''
  for (let i = from + 1; i < source.length; i++) {
    const char = source[i]!
    if (char === close) {
      const to = i + 1
      return type === 'string' ? { type: 'literal', value: text, from, to } : patternToken(text, from, to)
    }
    const escaped = source[i + 1]
    if (char === '\\' && (escaped === close || (type === 'string' && escaped === '\\'))) {
      text += escaped
      i++
    } else if (char === '\\' && type === 'pattern' && escaped !== undefined) {
      text += char + escaped
      i++
    } else text += char
  }
  return at(`Unterminated ${type} starting here`, from, from + 1)
}

/** A pattern is checked where it stands, used or not: RE2's syntax, short, and of characters that all engines fold alike. */
function patternToken(source: string, from: number, to: number): Token | ExpressionProblem {
  if (Array.from(source).length > longestPattern)
    return at(`Pattern of more than ${longestPattern} characters`, from, to)
  const strange = [...source.matchAll(/[^\x20-\xff]|\\[ux]/gu)][0]
  if (strange)
    return at(`Invalid character in pattern: ${strange[0]}`, from + 1 + strange.index, from + 2 + strange.index)
  const problem = patternProblem(source, 're2')
  return problem === undefined ? { type: 'pattern', source, from, to } : at(`Invalid pattern, as ${problem}`, from, to)
}
