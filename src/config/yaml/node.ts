/** Where something stands in the source, counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A value without parts. */
export type Scalar = string | number | boolean | null

interface Common extends Place {
  /** How many nodes a walk over this one meets, aliases counted each time: bounds every later walk. */
  readonly weight: number
  /** Some text below still holds a `<<` to be replaced. A replaced text never does, whatever it looks like. */
  readonly open: boolean
}

/** A value where it was written. */
export interface ScalarNode extends Common {
  readonly kind: 'scalar'
  readonly value: Scalar
  /** The value as text: `1.0` stays `1.0`, null is empty. */
  readonly text: string
}

/** A sequence where it was written. */
export interface ListNode extends Common {
  readonly kind: 'list'
  readonly items: readonly Node[]
}

/** A mapping where it was written, in its order. */
export interface MapNode extends Common {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, Entry>
}

/** A value under a key, and where the key stands. */
export interface Entry {
  readonly place: Place
  readonly value: Node
}

/** A piece of a configuration that still knows where it was written. Aliased pieces are shared, never copied. */
export type Node = ScalarNode | ListNode | MapNode

/** A scalar, its text derived from its value unless the source wrote it in a form of its own. */
export function scalarNode(
  value: Scalar,
  place: Place,
  text = value === null ? '' : String(value),
  open = false,
): ScalarNode {
  return { kind: 'scalar', value, text, line: place.line, column: place.column, weight: 1, open }
}

/** A list of nodes; heavy and open as its items are. */
export function listNode(items: readonly Node[], place: Place): ListNode {
  let weight = 1
  let open = false
  for (const item of items) {
    weight += item.weight
    open ||= item.open
  }
  return { kind: 'list', items, line: place.line, column: place.column, weight, open }
}

/** A mapping in source order. */
export function mapNode(entries: ReadonlyMap<string, Entry>, place: Place): MapNode {
  let weight = 1
  let open = false
  for (const [key, { value }] of entries) {
    weight += value.weight + 1
    open ||= value.open || key.includes('<<')
  }
  return { kind: 'map', entries, line: place.line, column: place.column, weight, open }
}

/** A mapping made here, each value standing for its own key. */
export function mapOf(entries: Iterable<readonly [string, Node]>, place: Place): MapNode {
  return mapNode(new Map([...entries].map(([key, value]) => [key, { place: value, value }])), place)
}

/** The value of a key, if the node is a mapping that has it. */
export function get(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined
}

/** Whether a node is an explicit or an empty null. */
export const isNull = (node: Node | undefined): boolean => node?.kind === 'scalar' && node.value === null
