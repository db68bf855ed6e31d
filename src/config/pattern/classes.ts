import { BadPattern, type CharTest } from './syntax.ts'

const between =
  (from: number, to: number): CharTest =>
  (code) =>
    code >= from && code <= to
const oneOf = (chars: string): CharTest => {
  const codes = new Set(Array.from(chars, (char) => char.codePointAt(0)!))
  return (code) => codes.has(code)
}
const matching =
  (pattern: RegExp): CharTest =>
  (code) =>
    pattern.test(String.fromCodePoint(code))

/** Everything that a test leaves out. */
export const except =
  (test: CharTest): CharTest =>
  (code) =>
    !test(code)

/** Everything that one of several tests lets in. */
export const anyOf =
  (tests: readonly CharTest[]): CharTest =>
  (code) =>
    tests.some((test) => test(code))

/** Everything from one character to another. */
export const range = between
/** What `\d` lets in. */
export const isDigit = between(48, 57)
/** What `\w` lets in. */
export const isWord = anyOf([isDigit, between(65, 90), between(97, 122), oneOf('_')])
/** What `\s` lets in. */
export const isSpace = oneOf(' \t\n\v\f\r')
/** What `\s` of RE2 lets in. */
export const isBlank = oneOf(' \t\n\f\r')
const isHorizontal = oneOf(' \t\u00a0\u1680\u180e\u202f\u205f\u3000')
const isVertical = oneOf('\n\v\f\r\u0085\u2028\u2029')

/** What `.` lets in, unless told otherwise: anything within a line. */
export const withinLine = except(oneOf('\n\r\u0085\u2028\u2029'))

/** What `.` lets in where only a newline ends a line. */
export const notNewline = except(oneOf('\n'))

/** The sets that a backslash and a letter stand for. */
export const letterClasses: ReadonlyMap<string, CharTest> = new Map([
  ['d', isDigit],
  ['D', except(isDigit)],
  ['w', isWord],
  ['W', except(isWord)],
  ['s', isSpace],
  ['S', except(isSpace)],
  ['h', isHorizontal],
  ['H', except(isHorizontal)],
  ['v', isVertical],
  ['V', except(isVertical)],
])

const named: ReadonlyMap<string, CharTest> = new Map([
  ['lower', matching(/[a-z]/)],
  ['upper', matching(/[A-Z]/)],
  ['alpha', matching(/[A-Za-z]/)],
  ['digit', matching(/[0-9]/)],
  ['alnum', matching(/[A-Za-z0-9]/)],
  ['punct', matching(/[!-/:-@[-`{-~]/)],
  ['graph', matching(/[!-~]/)],
  ['print', matching(/[ -~]/)],
  ['blank', matching(/[ \t]/)],
  ['cntrl', anyOf([between(0, 31), between(127, 127)])],
  ['xdigit', matching(/[0-9A-Fa-f]/)],
  ['space', matching(/[ \t\n\v\f\r]/)],
  ['ascii', between(0, 127)],
  ['word', matching(/\w/)],
])

/** The set of `\p{name}` or `[:name:]`: the ASCII names of POSIX, or a Unicode category or script. */
export function namedClass(name: string): CharTest {
  const posix = named.get(name.toLowerCase())
  if (posix) return posix
  const unicode = name.replace(/^Is(?=[A-Z])/, '')
  if (!/^[A-Za-z_=]{1,40}$/.test(unicode)) throw new BadPattern(`it has an unknown class ${name}`)
  for (const spelled of [unicode, `Script=${unicode}`]) {
    try {
      return matching(new RegExp(`\\p{${spelled}}`, 'u'))
    } catch {
      continue
    }
  }
  throw new BadPattern(`it has an unknown class ${name}`)
}

const fourLetters = ['Ahom', 'Cham', 'Kawi', 'Lisu', 'Miao', 'Modi', 'Newa', 'Thai', 'Toto']

/** The set of `\p{name}` as RE2 has it: categories by their letters, scripts by their whole names. */
export function re2Class(name: string): CharTest {
  if (name.startsWith('^')) return except(re2Class(name.slice(1)))
  if (name === 'Any') return () => true
  const isCategory = /^[CLMNPSZ][a-z]?$/.test(name) && name !== 'Cn'
  const isScript = /^[A-Z][a-z]+(?:_[A-Z][a-z]+)*$/.test(name) && (name.length !== 4 || fourLetters.includes(name))
  if (!isCategory && !isScript) throw new BadPattern(`it has an unknown class ${name}`)
  try {
    return matching(new RegExp(`\\p{${isCategory ? name : `Script=${name}`}}`, 'u'))
  } catch {
    throw new BadPattern(`it has an unknown class ${name}`)
  }
}

/** The set of `[:name:]`, or of `[:^name:]`, which are all ASCII. */
export function posixClass(name: string): CharTest {
  if (name.startsWith('^')) return except(posixClass(name.slice(1)))
  const found = named.get(name)
  if (!found) throw new BadPattern(`it has an unknown class ${name}`)
  return found
}

/** The same set, blind to case. */
export function ignoringCase(test: CharTest): CharTest {
  return (code) => {
    if (test(code)) return true
    const char = String.fromCodePoint(code)
    const [lower, upper] = [char.toLowerCase(), char.toUpperCase()]
    // Some characters share a capital: the long s and the Kelvin sign have the letters of everybody.
    const alike = [lower, upper, upper.toLowerCase(), lower.toUpperCase()]
    return alike.some((other) => other !== char && test(other.codePointAt(0)!))
  }
}
