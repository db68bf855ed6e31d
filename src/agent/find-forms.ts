/** Finds every place where one of several byte strings occurs: calls `found` with start and end, in no particular order. */
export type Finder = (text: Buffer, found: (start: number, end: number) => void) => void

/** From this length on a form is searched for in long strides; shorter ones would make the strides of all others short. */
const long = 8
/** So many forms are found sooner one after another, by what the machine has for it. */
const few = 8

/** A search made ready once for many texts. No form may be shorter than four bytes. */
export function finderOf(forms: readonly Buffer[]): Finder {
  const groups = [forms.filter((form) => form.length < long), forms.filter((form) => form.length >= long)]
  const finders = groups
    .filter((group) => group.length > 0)
    .map((group) => (group.length <= few ? oneByOne(group) : inStrides(group)))
  return (text, found) => {
    for (const find of finders) find(text, found)
  }
}

function oneByOne(forms: readonly Buffer[]): Finder {
  return (text, found) => {
    for (const form of forms) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) found(at, at + form.length)
    }
  }
}

/** Strides fit into a byte, and longer ones are hardly faster: of longer forms the beginnings are searched for. */
const mostCompared = 256
/** A table is so many times larger than what is put into it, as what falls on a taken place makes strides short; but not larger than caches. */
const [spread, mostBits] = [{ 3: 16, 4: 4 }, 18] as const

/**
 * Wu and Manber's search: looks at a few bytes at a time and knows from them how far the next occurrence must be away, so that most
 * bytes are never looked at. Four bytes, as two are not enough: the digits of 500 secrets are every pair of digits there is, and what
 * prints digits was searched at 25 MB/s. Forms of four bytes leave no strides then, so it is three for the short ones.
 */
function inStrides(forms: readonly Buffer[]): Finder {
  const shortest = Math.min(mostCompared, ...forms.map((form) => form.length))
  const block = shortest < long ? 3 : 4
  const places = shortest - block + 1
  let bits = 10
  while (bits < mostBits && 2 ** bits < spread[block] * forms.length * places) bits++
  const shift = 32 - bits
  const strides = new Uint8Array(2 ** bits).fill(places)
  const candidates = new Map<number, Buffer[]>()
  for (const form of forms) {
    for (let start = 0; start < places; start++) {
      const place = scattered(form.readUIntLE(start, block)) >>> shift
      const stride = places - 1 - start
      if (stride < strides[place]!) strides[place] = stride
      if (stride === 0) candidates.set(place, [...(candidates.get(place) ?? []), form])
    }
  }
  function compare(text: Buffer, start: number, place: number, found: (start: number, end: number) => void): void {
    for (const form of candidates.get(place)!)
      if (startsWith(text, start, form, text.length)) found(start, start + form.length)
  }

  // Four bytes are read at once; of three, the first of them is the one before.
  const drop = 32 - 8 * block
  return (text, found) => {
    const view = new DataView(text.buffer, text.byteOffset, text.byteLength)
    const size = text.length

    /** Looks at the bytes up to this one, and says how far the next ones to look at are away. */
    function stride(last: number): number {
      const place = scattered(view.getUint32(last - 3, true) >>> drop) >>> shift
      const known = strides[place]!
      if (known > 0) return known
      compare(text, last - shortest + 1, place, found)
      return 1
    }

    // In both halves by turns: where to look next in one is known only when its table has been read, and the other is looked at meanwhile.
    let first = shortest - 1
    let second = Math.max(first, size >> 1)
    const half = second
    while (first < half && second < size) {
      first += stride(first)
      second += stride(second)
    }
    while (first < half) first += stride(first)
    while (second < size) second += stride(second)
  }
}

/** Spreads numbers over all 32 bits, the upper ones best: a multiplication by what the golden ratio leaves of them. */
const scattered = (word: number): number => Math.imul(word, 0x9e3779b1)

function startsWith(text: Buffer, start: number, form: Buffer, size: number): boolean {
  if (start + form.length > size) return false
  for (let i = 0; i < form.length; i++) if (text[start + i] !== form[i]) return false
  return true
}
