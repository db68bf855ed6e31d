import type { Environment } from '#core/plan.ts'
import { blame, type Trail } from './trail.ts'
import { unexpected } from './read.ts'
import { isNull, listNode, mapOf, type Node, type Place } from './yaml/node.ts'

/** One variable as it was written. */
export interface Variable {
  readonly name: string
  readonly value: Node
}

/** The variables of an `environment` in any of its forms: a mapping, a list of mappings or `K=V` texts, or nothing. */
export function variablesOf(node: Node | undefined, trail: Trail): readonly Variable[] {
  if (!node || isNull(node)) return []
  if (node.kind === 'map') return [...node.entries].map(([name, { value }]) => ({ name, value }))
  if (node.kind === 'list') return node.items.flatMap((item) => variablesOfItem(item, trail))
  unexpected(node, 'Mapping', trail, 'environment')
  return []
}

function variablesOfItem(item: Node, trail: Trail): readonly Variable[] {
  if (item.kind === 'map') return variablesOf(item, trail)
  if (item.kind === 'scalar' && item.value !== null) {
    const equals = item.text.indexOf('=')
    if (equals > 0) {
      const value: Node = { ...item, value: item.text.slice(equals + 1), text: item.text.slice(equals + 1) }
      return [{ name: item.text.slice(0, equals), value }]
    }
  }
  blame(trail, item, 'Cannot use an item of [environment] that is neither a mapping nor NAME=value')
  return []
}

/** The variables as the steps will see them. */
export function readEnvironment(node: Node | undefined, trail: Trail): Environment {
  return variablesOf(node, trail).flatMap(({ name, value }) => {
    const text = textOf(value)
    if (text !== undefined) return [[name, text] as const]
    unexpected(value, 'String', trail, `environment.${name}`)
    return []
  })
}

/** A null becomes the word the original service has always shown for it (§A3). */
function textOf(value: Node): string | undefined {
  if (value.kind !== 'scalar') return undefined
  return value.value === null ? '<nil>' : value.text
}

/** Several environments as one list of single variables, the later winning: the compiled form. */
export function mergeEnvironments(nodes: readonly (Node | undefined)[], place: Place, trail: Trail): Node | undefined {
  const merged = new Map<string, Node>()
  for (const node of nodes) for (const { name, value } of variablesOf(node, trail)) merged.set(name, value)
  if (merged.size === 0) return undefined
  return listNode(
    [...merged].map(([name, value]) => mapOf([[name, value]], value)),
    place,
  )
}
