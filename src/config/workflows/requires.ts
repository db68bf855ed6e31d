import type { Ending } from '#core/plan.ts'
import { unexpected } from '#config/read.ts'
import { blame, type Trail } from '#config/trail.ts'
import { isNull, type Node, type Place } from '#config/yaml/node.ts'

/** What one item of `requires` asks for. */
export interface Requirement {
  readonly target: string
  readonly on: readonly Ending[]
  readonly place: Place
}

const endings: readonly Ending[] = ['success', 'failed', 'canceled', 'unauthorized', 'not_run']

/** Reads a `requires` list: names, or names with the endings that will do. */
export function readRequires(node: Node | undefined, trail: Trail): readonly Requirement[] {
  if (!node || isNull(node)) return []
  const items = node.kind === 'list' ? node.items : [node]
  return items.flatMap((item) => readRequirement(item, trail))
}

function readRequirement(item: Node, trail: Trail): readonly Requirement[] {
  if (item.kind === 'scalar' && item.value !== null) return [{ target: item.text, on: ['success'], place: item }]
  if (item.kind !== 'map') {
    unexpected(item, 'String', trail, 'requires')
    return []
  }
  return [...item.entries].map(([target, { place, value }]) => ({ target, on: readEndings(value, trail), place }))
}

function readEndings(node: Node, trail: Trail): readonly Ending[] {
  if (isNull(node)) return ['success']
  const items = node.kind === 'list' ? node.items : [node]
  const found = new Set<Ending>()
  for (const item of items) {
    const word = item.kind === 'scalar' ? item.text : ''
    const ending = endings.find((known) => known === word)
    if (word === 'terminal') for (const each of endings) found.add(each)
    else if (ending) found.add(ending)
    else
      blame(
        trail,
        item,
        `[requires] Input not a valid enum value: ${word}. Valid values: ${endings.join(', ')}, terminal`,
      )
  }
  return endings.filter((ending) => found.has(ending))
}
