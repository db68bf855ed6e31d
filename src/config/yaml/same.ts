import type { MapNode, Node, Scalar } from './node.ts'

const identical = (a: Scalar, b: Scalar) => a === b

/** Whether two nodes hold the same values, mappings in any order; places do not matter. */
export function isSame(a: Node, b: Node, isSameScalar: (a: Scalar, b: Scalar) => boolean = identical): boolean {
  if (a === b) return true
  if (a.kind === 'scalar' && b.kind === 'scalar') return isSameScalar(a.value, b.value)
  if (a.kind === 'list' && b.kind === 'list') {
    return a.items.length === b.items.length && a.items.every((item, i) => isSame(item, b.items[i]!, isSameScalar))
  }
  return a.kind === 'map' && b.kind === 'map' && isSameMap(a, b, isSameScalar)
}

function isSameMap(a: MapNode, b: MapNode, isSameScalar: (a: Scalar, b: Scalar) => boolean): boolean {
  if (a.entries.size !== b.entries.size) return false
  for (const [key, { value }] of a.entries) {
    const other = b.entries.get(key)
    if (!other || !isSame(value, other.value, isSameScalar)) return false
  }
  return true
}
