import { ignoringCase, range, withinLine } from './classes.ts'
import { readClass, readEscape } from './parse-class.ts'
import { type Flags, noFlags, peek, type Reader, skip, take, takeUntil } from './reader.ts'
import { BadPattern, type CharTest, type Syntax } from './syntax.ts'

const deepest = 100
const mostRepeats = 1000

/** Reads a Java-style pattern; throws `BadPattern` where it cannot be used. */
export function parsePattern(source: string): Syntax {
  const reader: Reader = { source, at: 0, flags: noFlags }
  const syntax = readChoice(reader, 0)
  if (peek(reader) !== '') throw new BadPattern('it has an unmatched )')
  return syntax
}

function readChoice(reader: Reader, depth: number): Syntax {
  if (depth > deepest) throw new BadPattern('its groups nest too deeply')
  // Flags set inside of a group end with it.
  const { flags } = reader
  const options = [readSequence(reader, depth)]
  while (skip(reader, '|')) options.push(readSequence(reader, depth))
  reader.flags = flags
  return options.length === 1 ? options[0]! : { type: 'choice', options }
}

function readSequence(reader: Reader, depth: number): Syntax {
  const parts: Syntax[] = []
  for (let char = peek(reader); char !== '' && char !== '|' && char !== ')'; char = peek(reader)) {
    if (reader.flags.comments && skipComment(reader)) continue
    if (skip(reader, '\\Q')) parts.push(...readQuoted(reader))
    else parts.push(readRepeated(reader, depth))
  }
  return parts.length === 1 ? parts[0]! : { type: 'sequence', parts }
}

function skipComment(reader: Reader): boolean {
  if (!/[\s#]/.test(peek(reader))) return false
  if (take(reader) === '#') while (peek(reader) !== '' && peek(reader) !== '\n') take(reader)
  return true
}

function readQuoted(reader: Reader): readonly Syntax[] {
  const end = reader.source.indexOf('\\E', reader.at)
  const text = end < 0 ? reader.source.slice(reader.at) : takeUntil(reader, '\\E')
  if (end < 0) reader.at = reader.source.length
  return Array.from(text, (char) => literal(char.codePointAt(0)!, reader))
}

function readRepeated(reader: Reader, depth: number): Syntax {
  let part = readAtom(reader, depth)
  for (let count = readCount(reader); count; count = readCount(reader)) {
    part = { type: 'repeat', part, ...count }
    // Lazy or possessive: what matters here is whether the whole text matches, not how.
    if (peek(reader) === '?' || peek(reader) === '+') take(reader)
  }
  return part
}

function readCount(reader: Reader): { readonly least: number; readonly most: number } | undefined {
  if (skip(reader, '*')) return { least: 0, most: Infinity }
  if (skip(reader, '+')) return { least: 1, most: Infinity }
  if (skip(reader, '?')) return { least: 0, most: 1 }
  const [whole, least, comma, most] =
    /^\{(\d{1,5})(,?)(\d{0,5})\}/.exec(reader.source.slice(reader.at, reader.at + 16)) ?? []
  if (whole === undefined) return undefined
  reader.at += whole.length
  const from = Number(least)
  const to = comma === '' ? from : most === '' ? Infinity : Number(most)
  if (to < from) throw new BadPattern('it has a repetition out of order')
  if (from > mostRepeats || (to !== Infinity && to > mostRepeats))
    throw new BadPattern(`it repeats more than ${mostRepeats} times`)
  return { least: from, most: to }
}

function readAtom(reader: Reader, depth: number): Syntax {
  const char = take(reader)
  switch (char) {
    case '(':
      return readGroup(reader, depth)
    case '[':
      return { type: 'char', test: readClass(reader) }
    case '.':
      return { type: 'char', test: reader.flags.dotAll ? () => true : withinLine }
    case '^':
      return { type: 'assert', what: reader.flags.multiline ? 'line-start' : 'start' }
    case '$':
      return { type: 'assert', what: reader.flags.multiline ? 'line-end' : 'end' }
    case '*':
    case '+':
    case '?':
      throw new BadPattern(`it has nothing to repeat before ${char}`)
    case '\\':
      return readBackslash(reader)
    default:
      return literal(char.codePointAt(0)!, reader)
  }
}

function readBackslash(reader: Reader): Syntax {
  if (skip(reader, 'b')) return { type: 'assert', what: 'boundary' }
  if (skip(reader, 'B')) return { type: 'assert', what: 'no-boundary' }
  if (skip(reader, 'A')) return { type: 'assert', what: 'start' }
  if (skip(reader, 'z') || skip(reader, 'Z')) return { type: 'assert', what: 'end' }
  const escaped = readEscape(reader)
  return typeof escaped === 'number' ? literal(escaped, reader) : { type: 'char', test: escaped }
}

function literal(code: number, { flags }: Reader): Syntax {
  const test: CharTest = range(code, code)
  return { type: 'char', test: flags.ignoreCase ? ignoringCase(test) : test }
}

function readGroup(reader: Reader, depth: number): Syntax {
  if (!skip(reader, '?')) return closed(reader, readChoice(reader, depth + 1))
  for (const [mark, look] of looks) {
    if (skip(reader, mark)) return { type: 'look', ...look, part: closed(reader, readChoice(reader, depth + 1)) }
  }
  if (skip(reader, ':') || skip(reader, '>')) return closed(reader, readChoice(reader, depth + 1))
  if (skip(reader, 'P<') || skip(reader, '<')) {
    takeUntil(reader, '>')
    return closed(reader, readChoice(reader, depth + 1))
  }
  return readFlags(reader, depth)
}

const looks = [
  ['<=', { isBehind: true, isNegative: false }],
  ['<!', { isBehind: true, isNegative: true }],
  ['=', { isBehind: false, isNegative: false }],
  ['!', { isBehind: false, isNegative: true }],
] as const

function closed(reader: Reader, inner: Syntax): Syntax {
  if (!skip(reader, ')')) throw new BadPattern('it misses a )')
  return inner
}

/** `(?i)` holds to the end of the surrounding group, `(?i:…)` for its own. */
function readFlags(reader: Reader, depth: number): Syntax {
  const before = reader.flags
  let isOn = true
  for (let char = take(reader); char !== ')' && char !== ':'; char = take(reader)) {
    if (char === '-') isOn = false
    else reader.flags = { ...reader.flags, ...flagOf(char, isOn) }
  }
  if (reader.source[reader.at - 1] === ')') return { type: 'empty' }
  const inner = closed(reader, readChoice(reader, depth + 1))
  reader.flags = before
  return inner
}

function flagOf(char: string, isOn: boolean): Partial<Flags> {
  switch (char) {
    case 'i':
      return { ignoreCase: isOn }
    case 's':
      return { dotAll: isOn }
    case 'm':
      return { multiline: isOn }
    case 'x':
      return { comments: isOn }
    case 'u':
    case 'U':
    case 'd':
      return {}
    default:
      throw new BadPattern(`it has an unknown flag ${char}`)
  }
}
