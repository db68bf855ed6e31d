import { hint } from './nearest.ts'
import { blame, isFull, type Trail } from './trail.ts'
import { get, isNull, type MapNode, type Node } from './yaml/node.ts'

/** What a node is, in the words of a message. */
export function typeName(node: Node): string {
  if (node.kind === 'map') return 'Mapping'
  if (node.kind === 'list') return 'Sequence'
  switch (typeof node.value) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'number':
      return Number.isInteger(node.value) ? 'Integer' : 'Number'
    default:
      return 'Null'
  }
}

/** Notes that a node is not what was expected there, and is nothing, so that a reader can end with it. */
export function unexpected(node: Node, expected: string, trail: Trail, what?: string): undefined {
  const about = what === undefined ? '' : `[${what}] `
  blame(trail, node, `${about}expected type: ${expected}, found: ${typeName(node)}`)
}

/** The node as a mapping, or a problem. */
export function asMap(node: Node, trail: Trail, what?: string): MapNode | undefined {
  return node.kind === 'map' ? node : unexpected(node, 'Mapping', trail, what)
}

/** The items of a list, or a problem and none. */
export function asItems(node: Node, trail: Trail, what?: string): readonly Node[] {
  if (node.kind === 'list') return node.items
  unexpected(node, 'Sequence', trail, what)
  return []
}

/** The text of any scalar but null, or a problem. */
export function asText(node: Node, trail: Trail, what?: string): string | undefined {
  if (node.kind === 'scalar' && node.value !== null) return node.text
  return unexpected(node, 'String', trail, what)
}

/** The text of an optional key; null is as good as absent. */
export function textAt(map: MapNode, key: string, trail: Trail): string | undefined {
  const node = get(map, key)
  return !node || isNull(node) ? undefined : asText(node, trail, key)
}

/** The text of a key that must be there. */
export function neededText(map: MapNode, key: string, trail: Trail): string | undefined {
  const node = get(map, key)
  if (node && !isNull(node)) return asText(node, trail, key)
  blame(trail, map, `required key [${key}] not found`)
  return undefined
}

/** The truth of an optional key. */
export function booleanAt(map: MapNode, key: string, trail: Trail): boolean | undefined {
  const node = get(map, key)
  if (!node || isNull(node)) return undefined
  if (node.kind === 'scalar') {
    if (typeof node.value === 'boolean') return node.value
    if (node.text === 'true' || node.text === 'false') return node.text === 'true'
  }
  return unexpected(node, 'Boolean', trail, key)
}

/** A whole number within bounds, or a problem. Its digits may come as text, for an argument often does. */
export function asInteger(node: Node, least: number, most: number, trail: Trail, what: string): number | undefined {
  const value = node.kind === 'scalar' && /^\d{1,15}$/.test(node.text) ? Number(node.text) : undefined
  if (value === undefined) return unexpected(node, 'Integer', trail, what)
  if (value >= least && value <= most) return value
  blame(trail, node, `[${what}] must be between ${least} and ${most}, found: ${value}`)
  return undefined
}

/** A text or a list of texts, as a list. */
export function asTexts(node: Node, trail: Trail, what?: string): readonly string[] {
  if (isNull(node)) return []
  const items = node.kind === 'list' ? node.items : [node]
  return items.map((item) => asText(item, trail, what)).filter((text) => text !== undefined)
}

/** The texts of a key that must be a list with something in it. */
export function neededTexts(map: MapNode, key: string, trail: Trail): readonly string[] {
  const node = get(map, key)
  if (node && !isNull(node)) return asTexts(node, trail, key)
  blame(trail, map, `required key [${key}] not found`)
  return []
}

/** One of a few words, or a problem that lists them. */
export function asWord<Word extends string>(
  node: Node,
  words: readonly Word[],
  trail: Trail,
  what: string,
): Word | undefined {
  const text = asText(node, trail, what)
  if (text === undefined) return undefined
  const word = words.find((known) => known === text)
  if (word === undefined)
    blame(trail, node, `[${what}] Input not a valid enum value: ${text}. Valid values: ${words.join(', ')}`)
  return word
}

/** Refuses every key that nobody would read, with the name it was probably meant to be. */
export function checkKeys(map: MapNode, known: readonly string[], trail: Trail): void {
  for (const [key, { place }] of map.entries) {
    if (known.includes(key)) continue
    if (isFull(trail)) return
    const meant = hint(key, known)
    if (trail.isTolerant && meant === '') continue
    blame(trail, place, `extraneous key [${key}] is not permitted${meant}\nPermitted keys: ${known.join(', ')}`)
  }
}
