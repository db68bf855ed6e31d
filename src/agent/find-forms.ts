/** Finds every place where one of several byte strings occurs: calls `found` with start and end, in no particular order. */
export type Finder = (text: Buffer, found: (start: number, end: number) => void) => void

/** From this length on a form is searched for in strides; shorter ones would make the strides of all others short. */
const long = 8

/** A search made ready once for many texts. */
export function finderOf(forms: readonly Buffer[]): Finder {
  const groups = [forms.filter((form) => form.length < long), forms.filter((form) => form.length >= long)]
  const finders = groups
    .filter((group) => group.length > 0)
    .map((group) => (group.length <= 2 ? oneByOne(group) : inStrides(group)))
  return (text, found) => {
    for (const find of finders) find(text, found)
  }
}

/**
 * How large a table by two bytes is to be for so many pairs: large enough that few other pairs fall on their places. A table
 * of all pairs for every job, 64 KB, is memory that comes back late: 200 jobs left 5 MB of it.
 */
export function pairTable(pairs: number): { readonly shift: number; readonly last: number } {
  let shift = 4
  while (shift < 8 && 2 ** (shift + 8) < 16 * pairs) shift++
  return { shift, last: 2 ** (shift + 8) - 1 }
}

function oneByOne(forms: readonly Buffer[]): Finder {
  return (text, found) => {
    for (const form of forms) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) found(at, at + form.length)
    }
  }
}

/**
 * Wu and Manber's search: looks at two bytes at a time and knows from them how far the next occurrence must be away,
 * so that most bytes are never looked at.
 */
function inStrides(forms: readonly Buffer[]): Finder {
  const shortest = Math.min(...forms.map((form) => form.length))
  const { shift, last: bits } = pairTable(forms.length * (shortest - 1))
  const strides = new Uint8Array(bits + 1).fill(Math.min(shortest - 1, 255))
  const candidates = new Map<number, Buffer[]>()
  for (const form of forms) {
    for (let last = 1; last < shortest; last++) {
      const pair = ((form[last - 1]! << shift) ^ form[last]!) & bits
      const stride = Math.min(shortest - 1 - last, 255)
      if (stride < strides[pair]!) strides[pair] = stride
      if (last === shortest - 1) candidates.set(pair, [...(candidates.get(pair) ?? []), form])
    }
  }
  return (text, found) => {
    const size = text.length
    let at = shortest - 1
    while (at < size) {
      const pair = ((text[at - 1]! << shift) ^ text[at]!) & bits
      const stride = strides[pair]!
      if (stride > 0) {
        at += stride
        continue
      }
      const start = at - shortest + 1
      for (const form of candidates.get(pair)!) {
        if (startsWith(text, start, form, size)) found(start, start + form.length)
      }
      at++
    }
  }
}

function startsWith(text: Buffer, start: number, form: Buffer, size: number): boolean {
  if (start + form.length > size) return false
  for (let i = 0; i < form.length; i++) if (text[start + i] !== form[i]) return false
  return true
}
