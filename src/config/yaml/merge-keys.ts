import { blame, type Trail } from '#config/trail.ts'
import type { Entry, Node, Place } from './node.ts'

/** A key and its value as they were written. */
export interface Pair {
  readonly place: Place
  /** As written, so that `on:` and `1.10:` are the names they look like; undefined if it is no text at all. */
  readonly key: string | undefined
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
  for (const { place, key, value, merges } of pairs) {
    if (merges) continue
    if (key === undefined) blame(trail, place, 'Cannot use a mapping or a sequence as a key')
    else if (own.has(key)) blame(trail, place, `found duplicate key ${key}`)
    else {
      own.add(key)
      entries.set(key, { place, value })
    }
  }
  return entries
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
