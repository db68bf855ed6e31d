import { blame, type Trail } from '#config/trail.ts'
import type { Entry, Node } from './node.ts'

/** A key and its value as they were written. */
export interface Pair {
  readonly name: Node
  readonly value: Node
  /** The key is a bare `<<`: a quoted one is only a name. */
  readonly merges: boolean
}

/**
 * The entries of a mapping: what `<<` merges first, then its own keys, which win.
 * Several `<<` in one mapping are common in the wild, and add up.
 */
export function entriesOf(pairs: readonly Pair[], trail: Trail): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const { value, merges } of pairs) if (merges) merge(entries, value, trail)
  const own = new Set<string>()
  for (const { name, value, merges } of pairs) {
    if (merges) continue
    const key = keyOf(name)
    if (key === undefined) blame(trail, name, 'Cannot use a mapping or a sequence as a key')
    else if (own.has(key)) blame(trail, name, `found duplicate key ${key}`)
    else {
      own.add(key)
      entries.set(key, { place: name, value })
    }
  }
  return entries
}

/** As written, so that `on:` and `1.10:` are the names they look like. */
function keyOf(name: Node): string | undefined {
  if (name.kind !== 'scalar') return undefined
  return typeof name.value === 'boolean' || typeof name.value === 'string' ? name.text : String(name.value ?? '')
}

function merge(entries: Map<string, Entry>, from: Node, trail: Trail): void {
  const sources = from.kind === 'list' ? from.items : [from]
  for (const source of sources) {
    if (source.kind !== 'map') {
      blame(trail, source, 'Cannot merge anything but a mapping')
      continue
    }
    for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry)
  }
}
