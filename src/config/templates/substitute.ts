import { pipelineOf, type Scope, spend } from '#config/definitions/scope.ts'
import { evaluateText } from '#config/expression/evaluate-text.ts'
import { holds } from '#config/logic.ts'
import { hint } from '#config/nearest.ts'
import { variablesOf } from '#config/pipeline/lookup.ts'
import { blame, type Trail } from '#config/trail.ts'
import { type Entry, listNode, mapNode, type Node, type Place, scalarNode, type ScalarNode } from '#config/yaml/node.ts'
import { withoutSections } from './sections.ts'
import { type Part, partsOf } from './template.ts'

/**
 * Replaces every `<< >>` below a node by what it means in a scope. What holds none is shared, not copied,
 * so that the cost follows what is parameterized and not what is written.
 */
export function substitute(node: Node, scope: Scope, trail: Trail): Node {
  if (!node.open || !scope.compilation.templates) return node
  spend(scope.compilation, 1)
  switch (node.kind) {
    case 'scalar':
      return substituteText(node, scope, trail)
    case 'list':
      return closed(
        listNode(
          node.items.map((item) => substitute(item, scope, trail)),
          node,
        ),
      )
    case 'map': {
      const entries = new Map<string, Entry>()
      for (const [key, { place, value }] of node.entries) {
        entries.set(substituteKey(key, place, scope, trail), { place, value: substitute(value, scope, trail) })
      }
      return closed(mapNode(entries, node))
    }
  }
}

/** Replaced text is final, whatever it looks like. */
const closed = <N extends Node>(node: N): N => (node.open ? { ...node, open: false } : node)

/** Replaces the tags in a key: always a text. */
export function substituteKey(key: string, place: Place, scope: Scope, trail: Trail): string {
  if (!scope.compilation.templates || !key.includes('<<')) return key
  const node = substituteText(scalarNode(key, place, key, true), scope, trail)
  return node.kind === 'scalar' ? node.text : key
}

/** A text that is one tag becomes the value itself, of its own type; within other text it becomes text. */
function substituteText(node: ScalarNode, scope: Scope, trail: Trail): Node {
  const parts = partsOf(node.text)
  if (!parts) {
    blame(
      trail,
      node,
      `Unclosed '<<' tag in string: '${clip(node.text)}'\n('<<' must be escaped as '\\<<' in config v2.1+)`,
    )
    return { ...node, open: false }
  }
  const [only] = parts
  if (parts.length === 1 && only && 'tag' in only) return moved(valueOf(only.tag, node, scope, trail), node, scope)
  const isTrue = (tag: string) => holds(valueOf(tag, node, scope, trail), trail)
  const kept = withoutSections(parts, isTrue, node, trail)
  const text = kept.map((part) => textOf(part, node, scope, trail)).join('')
  spend(scope.compilation, text.length / 100)
  return scalarNode(text, node)
}

const clip = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** A scalar stands where it is used; a list or a mapping keeps the places it was written at. */
function moved(value: Node, place: Place, { compilation }: Scope): Node {
  if (value.kind !== 'scalar') return value
  const here = scalarNode(value.value, place, value.text)
  const origin = compilation.origins.get(value)
  if (origin) compilation.origins.set(here, origin)
  return here
}

function textOf(part: Part, place: Place, scope: Scope, trail: Trail): string {
  if ('text' in part) return part.text
  const value = valueOf(part.tag, place, scope, trail)
  if (value.kind === 'scalar') return value.text
  blame(trail, place, `Cannot put the value of << ${part.tag} >> into a text: it is a ${value.kind}`)
  return ''
}

const reference = /^(parameters|matrix|pipeline)\.([\w.?-]+)$/

function valueOf(tag: string, place: Place, scope: Scope, trail: Trail): Node {
  const [, root, name] = reference.exec(tag) ?? []
  if (root === undefined || name === undefined) return valueOfExpression(tag, place, scope, trail)
  const pipeline = pipelineOf(scope)
  const found = root === 'pipeline' ? pipeline(tag) : (root === 'matrix' ? scope.matrix : scope.parameters)?.get(name)
  if (found) return found
  if (root === 'pipeline') {
    const meant = hint(tag, scope.compilation.pipelineNames())
    blame(trail, place, `Referred to a variable "${tag}" that does not exist${meant}`)
  } else {
    const meant = hint(name, (root === 'matrix' ? scope.matrix : scope.parameters)?.keys() ?? [])
    blame(trail, place, `Arguments referenced without declared parameters: ${tag}${meant}`)
  }
  return scalarNode('', place)
}

function valueOfExpression(tag: string, place: Place, scope: Scope, trail: Trail): Node {
  const result = evaluateText(tag, variablesOf(pipelineOf(scope)), trail.work)
  if ('value' in result) return scalarNode(result.value ?? null, place)
  blame(trail, place, `Cannot understand << ${clip(tag)} >>: ${result.message}`)
  return scalarNode('', place)
}
