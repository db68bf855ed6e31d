import {
  anyOf,
  except,
  ignoringCase,
  isBlank,
  letterClasses,
  namedClass,
  posixClass,
  range,
  re2Class,
} from './classes.ts'
import { peek, type Reader, skip, take, takeUntil } from './reader.ts'
import { BadPattern, type CharTest } from './syntax.ts'

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['f', 12],
  ['a', 7],
  ['e', 27],
])

/** What a backslash stands for, the backslash being behind us: one character, or a set of them. */
export function readEscape(reader: Reader): number | CharTest {
  const char = take(reader)
  if (reader.dialect === 're2') return readRe2Escape(reader, char)
  const set = letterClasses.get(char)
  if (set) return set
  const control = controls.get(char)
  if (control !== undefined) return control
  if (char === 'p' || char === 'P') {
    const name = skip(reader, '{') ? takeUntil(reader, '}') : take(reader)
    return char === 'p' ? namedClass(name) : except(namedClass(name))
  }
  if (char === 'x' && skip(reader, '{')) return codeOf(takeUntil(reader, '}'))
  if (char === 'x') return codeOf(take(reader) + take(reader))
  if (char === 'u') return codeOf(take(reader) + take(reader) + take(reader) + take(reader))
  if (char === '0') return 0
  if (/[1-9k]/.test(char)) throw new BadPattern('it refers back to a group, which is not supported')
  if (/[A-Za-z]/.test(char)) throw new BadPattern(`it has an unknown escape \\${char}`)
  return char.codePointAt(0)!
}

const re2Controls: ReadonlyMap<string, number> = new Map([...controls, ['v', 11]])
const re2Sets: ReadonlyMap<string, CharTest> = new Map([
  ...[...letterClasses].filter(([letter]) => 'dDwW'.includes(letter)),
  ['s', isBlank],
  ['S', except(isBlank)],
])

function readRe2Escape(reader: Reader, char: string): number | CharTest {
  const found = re2Sets.get(char) ?? (char === 'e' ? undefined : re2Controls.get(char))
  if (found !== undefined) return found
  if (char === 'p' || char === 'P') {
    const name = skip(reader, '{') ? takeUntil(reader, '}') : take(reader)
    return char === 'p' ? re2Class(name) : except(re2Class(name))
  }
  // Octal. A single digit but 0 would be a group elsewhere.
  const octal = /^[0-7]{0,3}/.exec(reader.source.slice(reader.at - 1, reader.at + 2))?.[0] ?? ''
  if (char === '0' || octal.length > 1) {
    reader.at += octal.length - 1
    return Number.parseInt(octal, 8)
  }
  if (/[A-Za-z0-9]/.test(char)) throw new BadPattern(`it has an unknown escape \\${char}`)
  return char.codePointAt(0)!
}

function codeOf(digits: string): number {
  const code = /^[0-9A-Fa-f]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
  if (!(code <= 0x10ffff)) throw new BadPattern(`it has an unknown character ${digits}`)
  return code
}

/** A set in brackets, the opening one being behind us. Sets nest, and `&&` keeps what is in both. */
export function readClass(reader: Reader, depth = 0): CharTest {
  if (depth > 20) throw new BadPattern('its classes nest too deeply')
  const isNegative = skip(reader, '^')
  const halves: CharTest[] = []
  let tests: CharTest[] = []
  for (let first = true; first || peek(reader) !== ']'; first = false) {
    if (reader.dialect === 'java' && skip(reader, '&&')) {
      halves.push(anyOf(tests))
      tests = []
    } else tests.push(readMember(reader, depth))
  }
  take(reader)
  halves.push(anyOf(tests))
  const whole: CharTest = (code) => halves.every((half) => half(code))
  const test = reader.flags.ignoreCase ? ignoringCase(whole) : whole
  return isNegative ? except(test) : test
}

function readMember(reader: Reader, depth: number): CharTest {
  const isPosix = reader.dialect === 'java' || reader.source.includes(':]', reader.at + 2)
  if (isPosix && skip(reader, '[:')) return classNamed(reader, takeUntil(reader, ':]'))
  if (reader.dialect === 'java' && skip(reader, '[')) return readClass(reader, depth + 1)
  const from = readOne(reader)
  if (typeof from !== 'number') return from
  const after = reader.source[reader.at + 1]
  const isSet = after === '[' && reader.dialect === 'java'
  if (peek(reader) !== '-' || after === ']' || isSet || after === undefined) return range(from, from)
  take(reader)
  const to = readOne(reader)
  if (typeof to !== 'number' || to < from) throw new BadPattern('it has a range out of order')
  return range(from, to)
}

const classNamed = ({ dialect }: Reader, name: string): CharTest =>
  dialect === 're2' ? posixClass(name) : namedClass(name)

const readOne = (reader: Reader): number | CharTest =>
  skip(reader, '\\') ? readEscape(reader) : take(reader).codePointAt(0)!
