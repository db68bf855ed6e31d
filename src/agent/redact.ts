import { finderOf } from './find-forms.ts'
import { formsOf } from './secret-forms.ts'

const mask = Buffer.from('****')

/**
 * Replaces secrets in a stream of bytes. Where occurrences overlap, all they cover becomes one mask.
 * The same bytes give the same result however they are cut into pieces.
 */
export interface Redactor {
  /** Takes the next bytes and gives those that are certain by now, as views that are valid until the next call. */
  push(bytes: Buffer): Buffer[]
  /** Gives what was held back: nothing can follow any more. */
  end(): Buffer[]
  /** How many of the bytes it took are still held back. */
  held(): number
}

/** Whether what was given is, byte for byte, so many bytes that were taken: no mask in it, and nothing left out under an earlier one. */
export const isVerbatim = (pieces: readonly Buffer[], taken: number): boolean =>
  pieces.every((piece) => piece !== mask) && pieces.reduce((sum, piece) => sum + piece.length, 0) === taken

/** What is hidden in all the streams of a job. */
export interface Redaction {
  /** For each stream one of its own. */
  readonly open: () => Redactor
  /**
   * Hides one more secret from here on, in the streams that are open too. To be called before anybody can have printed it:
   * what was taken before is then the same as if it had been known from the beginning.
   */
  readonly add: (secret: string) => void
}

/** Makes what is needed for one set of secrets; each stream then opens its own redactor. */
export const redactorFor = (secrets: readonly string[]): (() => Redactor) => openRedaction(secrets).open

export function openRedaction(secrets: readonly string[]): Redaction {
  let forms = formsOf(secrets)
  let search = searchFor(forms)

  function open(): Redactor {
    let held: Buffer = Buffer.alloc(0)
    /** So many of the held bytes are under a mask that was already given. */
    let covered = 0
    let scratch = Buffer.alloc(0)

    function joined(bytes: Buffer): Buffer {
      if (held.length === 0) return bytes
      const size = held.length + bytes.length
      if (scratch.length < size) scratch = Buffer.alloc(size + (search?.longest ?? 0))
      scratch.set(held)
      scratch.set(bytes, held.length)
      return scratch.subarray(0, size)
    }

    function take(text: Buffer, upTo: number): Buffer[] {
      const out: Buffer[] = []
      let at = 0
      for (const [start, end] of occurrences(text, covered)) {
        if (start >= upTo && start >= covered) break
        if (start > at) out.push(text.subarray(at, start))
        if (start >= covered) out.push(mask)
        at = end
      }
      if (at < upTo) out.push(text.subarray(at, upTo))
      covered = Math.max(0, at - upTo)
      held = Buffer.from(text.subarray(upTo))
      return out
    }

    function occurrences(text: Buffer, already: number): readonly (readonly [number, number])[] {
      const found: [number, number][] = already > 0 ? [[0, already]] : []
      search?.find(text, (start, end) => found.push([start, end]))
      return found.length < 2 ? found : merged(found)
    }

    return {
      push: (bytes) => {
        if (!search) return [bytes]
        const text = joined(bytes)
        return take(text, search.openFrom(text))
      },
      end: () => take(held, held.length),
      held: () => held.length,
    }
  }

  return {
    open,
    add(secret) {
      forms = [...forms, ...formsOf([secret])]
      search = searchFor(forms)
    },
  }
}

/** Nothing where there is nothing to hide. */
function searchFor(forms: readonly Buffer[]) {
  if (forms.length === 0) return undefined
  const longest = Math.max(...forms.map((form) => form.length))
  return { find: finderOf(forms), longest, openFrom: openEnd(forms, longest) }
}

/**
 * How large a table by two bytes is to be for so many pairs: large enough that few other pairs fall on their places. A table
 * of all pairs for every job, 64 KB, is memory that comes back late: 200 jobs left 5 MB of it.
 */
function pairTable(pairs: number): { readonly shift: number; readonly last: number } {
  let shift = 4
  while (shift < 8 && 2 ** (shift + 8) < 16 * pairs) shift++
  return { shift, last: 2 ** (shift + 8) - 1 }
}

/**
 * Gives the first place from which the rest of a text may be the beginning of a form. Every piece of output is asked this, and forms can
 * be thousands of bytes long: so places are passed over by their first two bytes, and few are compared.
 */
function openEnd(forms: readonly Buffer[], longest: number): (text: Buffer) => number {
  const beginnings = new Map<number, Buffer[]>()
  const { shift, last: bits } = pairTable(forms.length)
  const begins = new Uint8Array(bits + 1)
  const first = new Set(forms.map((form) => form[0]!))
  for (const form of forms) {
    const pair = ((form[0]! << shift) ^ form[1]!) & bits
    begins[pair] = 1
    beginnings.set(pair, [...(beginnings.get(pair) ?? []), form])
  }
  return (text) => {
    const last = text.length - 1
    for (let at = Math.max(0, text.length - longest + 1); at < last; at++) {
      const pair = ((text[at]! << shift) ^ text[at + 1]!) & bits
      if (begins[pair] === 0) continue
      const rest = text.length - at
      for (const form of beginnings.get(pair)!) {
        if (form.length > rest && text.compare(form, 0, rest, at) === 0) return at
      }
    }
    return last >= 0 && first.has(text[last]!) ? last : text.length
  }
}

/** Replaces secrets in a whole text. */
export const masker =
  (open: () => Redactor) =>
  (text: string): string => {
    const redactor = open()
    // Its pieces are views that are valid until the next call: copied before the end is asked for.
    const start = Buffer.concat(redactor.push(Buffer.from(text)))
    return Buffer.concat([start, ...redactor.end()]).toString('utf8')
  }

/** Joins spans that overlap; those that only touch stay apart. */
function merged(spans: [number, number][]): readonly (readonly [number, number])[] {
  const sorted = spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])
  const result: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = result.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
