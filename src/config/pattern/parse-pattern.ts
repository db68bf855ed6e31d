import { ignoringCase, notNewline, range, withinLine } from './classes.ts'
import { readClass, readEscape } from './parse-class.ts'
import { readFlags } from './flags.ts'
import { type Dialect, noFlags, peek, type Reader, skip, take, takeUntil } from './reader.ts'
import { BadPattern, type CharTest, type Syntax } from './syntax.ts'

const deepest = 100
const mostRepeats = 1000

/** Reads a pattern; throws `BadPattern` where it cannot be used. */
export function parsePattern(source: string, dialect: Dialect): Syntax {
  const reader: Reader = { source, dialect, names: new Set(), at: 0, flags: noFlags }
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
    else {
      const part = readRepeated(reader, depth)
      if (part !== flagged) {
        parts.push(part)
        continue
      }
    }
    // What follows a quotation or a change of flags repeats what stands before it.
    const count = readCount(reader)
    if (count) parts.push(repeated(reader, parts.pop(), count))
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
  if (part === flagged) return part
  for (let count = readCount(reader); count; count = readCount(reader)) part = repeated(reader, part, count)
  return part
}

type Count = { readonly least: number; readonly most: number }

function repeated(reader: Reader, part: Syntax | undefined, count: Count): Syntax {
  if (!part) throw new BadPattern('it has nothing to repeat')
  // Lazy or possessive: what matters here is whether the whole text matches, not how.
  if (!skip(reader, '?') && reader.dialect === 'java') skip(reader, '+')
  if (reader.dialect === 're2' && nextCount(reader)) throw new BadPattern('it repeats a repetition')
  return { type: 'repeat', part, ...count }
}

function readCount(reader: Reader): Count | undefined {
  const found = nextCount(reader)
  if (!found) return undefined
  reader.at += found.length
  const { least, most } = found
  if (most < least) throw new BadPattern('it has a repetition out of order')
  if (least > mostRepeats || (most !== Infinity && most > mostRepeats))
    throw new BadPattern(`it repeats more than ${mostRepeats} times`)
  return { least, most }
}

function nextCount({ source, at, dialect }: Reader): (Count & { readonly length: number }) | undefined {
  const sign = source[at]
  if (sign === '*') return { least: 0, most: Infinity, length: 1 }
  if (sign === '+') return { least: 1, most: Infinity, length: 1 }
  if (sign === '?') return { least: 0, most: 1, length: 1 }
  if (sign !== '{') return undefined
  const form = dialect === 're2' ? /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/ : /^\{(\d+)(?:(,)(\d+)?)?\}/
  const [whole, from, comma, to] = form.exec(source.slice(at, at + 40)) ?? []
  if (whole === undefined) return undefined
  const least = Number(from)
  return { least, most: comma === undefined ? least : to === undefined ? Infinity : Number(to), length: whole.length }
}

function readAtom(reader: Reader, depth: number): Syntax {
  const char = take(reader)
  switch (char) {
    case '(':
      return readGroup(reader, depth)
    case '[':
      return { type: 'char', test: readClass(reader) }
    case '.':
      return {
        type: 'char',
        test: reader.flags.dotAll ? () => true : reader.dialect === 're2' ? notNewline : withinLine,
      }
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
  if (skip(reader, 'z') || (reader.dialect === 'java' && skip(reader, 'Z'))) return { type: 'assert', what: 'end' }
  const escaped = readEscape(reader)
  if (typeof escaped === 'number') return literal(escaped, reader)
  return { type: 'char', test: reader.flags.ignoreCase ? ignoringCase(escaped) : escaped }
}

function literal(code: number, { flags }: Reader): Syntax {
  const test: CharTest = range(code, code)
  return { type: 'char', test: flags.ignoreCase ? ignoringCase(test) : test }
}

function readGroup(reader: Reader, depth: number): Syntax {
  if (!skip(reader, '?')) return closed(reader, readChoice(reader, depth + 1))
  if (reader.dialect === 'java') {
    for (const [mark, look] of looks) {
      if (skip(reader, mark)) return { type: 'look', ...look, part: closed(reader, readChoice(reader, depth + 1)) }
    }
    if (skip(reader, '>')) return closed(reader, readChoice(reader, depth + 1))
  }
  if (skip(reader, ':')) return closed(reader, readChoice(reader, depth + 1))
  if (skip(reader, 'P<') || skip(reader, '<')) {
    noteName(reader, takeUntil(reader, '>'))
    return closed(reader, readChoice(reader, depth + 1))
  }
  return readFlagged(reader, depth)
}

function noteName({ names }: Reader, name: string): void {
  if (!/^\w+$/.test(name)) throw new BadPattern(`it has a group of the name ${name}`)
  if (names.has(name)) throw new BadPattern(`it has two groups of the name ${name}`)
  names.add(name)
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

/** What a change of flags leaves in its place. */
const flagged: Syntax = { type: 'empty' }

/** `(?i)` holds to the end of the surrounding group, `(?i:…)` for its own. */
function readFlagged(reader: Reader, depth: number): Syntax {
  const before = reader.flags
  if (readFlags(reader) === ')') return flagged
  const inner = closed(reader, readChoice(reader, depth + 1))
  reader.flags = before
  return inner
}
