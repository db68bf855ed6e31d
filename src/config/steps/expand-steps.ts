import { blameMissing, find } from '#config/definitions/library.ts'
import { type Scope, spend } from '#config/definitions/scope.ts'
import { asItems, unexpected } from '#config/read.ts'
import { substitute, substituteKey } from '#config/templates/substitute.ts'
import { blame, type Trail } from '#config/trail.ts'
import { listNode, mapOf, type Node, type Place, scalarNode } from '#config/yaml/node.ts'
import { type BareStep, builtIn, fullStep } from './read-step.ts'

/** Every step as a built-in one: commands replaced by their steps, conditions decided, lists spliced in. */
export function expandSteps(node: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  if (scope.compilation.settled.has(node)) return settledSteps(node, scope)
  if (node.kind === 'scalar' && node.open) return expandSubstituted(node, scope, trail)
  return asItems(node, trail, 'steps').flatMap((item) => expandStep(item, scope, trail))
}

/** A list of steps that may be handed on as an argument: expanded where it was written. */
export function settle(steps: readonly BareStep[], place: Place, scope: Scope): Node {
  const list = listNode(steps.map(stepNode), place)
  const node = list.open ? { ...list, open: false } : list
  scope.compilation.settled.add(node)
  return node
}

/** A built-in step as it is written in full. */
export const stepNode = ({ name, body }: BareStep): Node => mapOf([[name, body]], body)

function settledSteps(node: Node, { compilation }: Scope): readonly BareStep[] {
  spend(compilation, node.weight)
  if (node.kind !== 'list') return []
  return node.items.flatMap((item) => {
    const [entry] = item.kind === 'map' ? item.entries : []
    return entry && entry[1].value.kind === 'map' ? [{ name: entry[0], body: entry[1].value }] : []
  })
}

/** A whole list that stands for a parameter: `steps: << parameters.before >>`. */
function expandSubstituted(node: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  const value = substitute(node, scope, trail)
  if (value.kind === 'list') return expandSteps(value, scope, trail)
  if (value.kind === 'scalar' && value.text === '') return []
  return expandStep(value, scope, trail)
}

function expandStep(item: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  spend(scope.compilation, 1)
  if (item.kind === 'list') return expandSteps(item, scope, trail)
  if (item.kind === 'scalar') {
    if (item.open && scope.compilation.templates) return expandSubstituted(item, scope, trail)
    if (typeof item.value === 'string') return expandNamed(item.value, item, scalarNode(null, item), scope, trail)
    unexpected(item, 'Mapping', trail, 'steps')
    return []
  }
  const [entry, another] = item.entries
  if (!entry || another) {
    const keys = [...item.entries.keys()].join(', ')
    blame(trail, item, `A step must have exactly one key: maximum size: [1], found: [${item.entries.size}] (${keys})`)
    return []
  }
  const [key, { place, value }] = entry
  return expandNamed(substituteKey(key, place, scope, trail), place, value, scope, trail)
}

function expandNamed(name: string, place: Place, given: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  const command = find(scope.library, 'commands', name)
  const kind = builtIn.get(name)
  if (!command && kind) {
    const step = fullStep(name, kind, substitute(given, scope, trail), trail)
    if (step) spend(scope.compilation, step.body.weight)
    return step ? [step] : []
  }
  blameMissing(scope.library, 'commands', name, place, trail, builtIn.keys())
  return []
}
