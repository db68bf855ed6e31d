import { BadPattern } from './syntax.ts'

/** Whose patterns: those of filters and of `matches` in logic statements are Java's, those of expressions RE2's (§A9). */
export type Dialect = 'java' | 're2'

/** Reads a pattern from left to right, with the flags that hold at the moment. */
export interface Reader {
  readonly source: string
  readonly dialect: Dialect
  /** Names of groups so far. */
  readonly names: Set<string>
  at: number
  flags: Flags
}

/** What `(?i)` and its like switch on and off. */
export interface Flags {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
  readonly multiline: boolean
  readonly comments: boolean
}

/** How every pattern starts. */
export const noFlags: Flags = { ignoreCase: false, dotAll: false, multiline: false, comments: false }

/** The next character, which stays. */
export const peek = (reader: Reader): string => charAt(reader.source, reader.at)

/** The next character, which is now behind us. */
export function take(reader: Reader): string {
  const char = peek(reader)
  if (char === '') throw new BadPattern('it ends too early')
  reader.at += char.length
  return char
}

/** Goes past a text if it comes next. */
export function skip(reader: Reader, text: string): boolean {
  if (!reader.source.startsWith(text, reader.at)) return false
  reader.at += text.length
  return true
}

/** Everything up to a text, and past it. */
export function takeUntil(reader: Reader, end: string): string {
  const found = reader.source.indexOf(end, reader.at)
  if (found < 0) throw new BadPattern(`it misses a ${end}`)
  const taken = reader.source.slice(reader.at, found)
  reader.at = found + end.length
  return taken
}

/** A character beyond 16 bits is one character. */
function charAt(source: string, at: number): string {
  const code = source.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}
