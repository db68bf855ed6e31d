/** Whether one character, by its code point, is as wanted; `star` stands for any number of any. */
type Token = ((code: number) => boolean) | 'star'

/** What the name of one file is compared with. */
export type NamePattern =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'wild'; readonly matches: (name: string) => boolean }

/**
 * The part of a pattern between two slashes: `*`, `?`, `[a-z]` and `[!a-z]` have a meaning, what follows a backslash has
 * none. A dot at the beginning of a name must be written.
 */
export function namePattern(text: string): NamePattern {
  const tokens: Token[] = []
  let plain: string | undefined = ''
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    const set = character === '[' ? setIn(characters, at) : undefined
    if (character === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star')
      plain = undefined
    } else if (character === '?') {
      tokens.push(() => true)
      plain = undefined
    } else if (set) {
      tokens.push(set.has)
      at = set.end
      plain = undefined
    } else {
      const meant = character === '\\' && at + 1 < characters.length ? characters[++at]! : character
      const code = meant.codePointAt(0)
      tokens.push((other) => other === code)
      if (plain !== undefined) plain += meant
    }
  }
  if (plain !== undefined) return { type: 'name', name: plain }
  const showsHidden = text.startsWith('.') || text.startsWith('\\.')
  return { type: 'wild', matches: (name) => (showsHidden || !name.startsWith('.')) && isMatch(tokens, name) }
}

/** One way back at a time is enough, to the last star: no name takes longer than its length times that of the pattern. */
function isMatch(tokens: readonly Token[], name: string): boolean {
  let [token, at] = [0, 0]
  let back: { readonly token: number; at: number } | undefined
  while (at < name.length) {
    const wanted = tokens[token]
    const code = name.codePointAt(at) ?? 0
    if (wanted === 'star') {
      back = { token: ++token, at }
    } else if (wanted?.(code)) {
      token++
      at += widthOf(code)
    } else if (back) {
      back.at += widthOf(name.codePointAt(back.at) ?? 0)
      token = back.token
      at = back.at
    } else return false
  }
  while (tokens[token] === 'star') token++
  return token === tokens.length
}

const widthOf = (code: number): number => (code > 0xffff ? 2 : 1)

/** A set of characters that begins here; undefined where it has no end, and the bracket stands for itself. */
function setIn(characters: readonly string[], from: number) {
  let at = from + 1
  const isOther = characters[at] === '!' || characters[at] === '^'
  if (isOther) at++
  const ranges: (readonly [number, number])[] = []
  for (let isFirst = true; at < characters.length; isFirst = false) {
    if (characters[at] === ']' && !isFirst) {
      const has = (code: number) => ranges.some(([low, high]) => code >= low && code <= high) !== isOther
      return { has, end: at }
    }
    if (characters[at] === '\\') at++
    const low = characters[at]?.codePointAt(0) ?? 0
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length && characters[at + 2] !== ']'
    const high = isRange ? (characters[at + 2]?.codePointAt(0) ?? 0) : low
    ranges.push([low, high])
    at += isRange ? 3 : 1
  }
  return undefined
}

/** More alternatives than anybody writes: what would make more of them is taken as it stands. */
const mostAlternatives = 1000

/** The patterns that one with `{a,b}` in it stands for. */
export function alternativesOf(pattern: string): readonly string[] {
  let made: readonly string[] = [pattern]
  for (;;) {
    const next = made.flatMap((one) => firstBraces(one) ?? [one])
    if (next.length === made.length || next.length > mostAlternatives) return made
    made = next
  }
}

/** A pattern with each of the alternatives of its first braces; undefined where it has none. */
function firstBraces(pattern: string): readonly string[] | undefined {
  for (let open = 0; open < pattern.length; open++) {
    if (pattern[open] === '\\') open++
    else if (pattern[open] === '{') {
      const parts = partsOf(pattern, open)
      if (parts) return parts.words.map((word) => pattern.slice(0, open) + word + pattern.slice(parts.end + 1))
    }
  }
  return undefined
}

/** What stands between commas in the braces that open here; undefined where they do not close, or hold no comma. */
function partsOf(pattern: string, open: number) {
  const words: string[] = []
  let depth = 0
  let from = open + 1
  for (let at = open; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (character === '{') depth++
    else if (character === ',' && depth === 1) {
      words.push(pattern.slice(from, at))
      from = at + 1
    } else if (character === '}' && --depth === 0) {
      words.push(pattern.slice(from, at))
      return words.length > 1 ? { words, end: at } : undefined
    }
  }
  return undefined
}
