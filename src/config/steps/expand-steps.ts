import { bind } from '#config/definitions/bind.ts'
import { blameMissing, type Definition, find } from '#config/definitions/library.ts'
import { type Scope, spend } from '#config/definitions/scope.ts'
import { holds } from '#config/logic.ts'
import { asItems, asMap, checkKeys, unexpected } from '#config/read.ts'
import { substitute, substituteKey } from '#config/templates/substitute.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, listNode, mapOf, type Node, type Place, scalarNode } from '#config/yaml/node.ts'
import { type BareStep, builtIn, fullStep } from './read-step.ts'

/** Every step as a built-in one: commands replaced by their steps, conditions decided, lists spliced in. */
export function expandSteps(node: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  if (scope.compilation.settled.has(node)) return settledSteps(node, scope)
  if (node.kind === 'scalar' && node.open && scope.compilation.templates) return expandSubstituted(node, scope, trail)
  if (node.kind === 'map' && node.entries.size === 1) return expandStep(node, scope, trail)
  return asItems(node, trail, 'steps').flatMap((item) => expandStep(item, scope, trail))
}

/** A list of steps that may be handed on as an argument: expanded here, where it was written. */
export function settleSteps(node: Node, scope: Scope, trail: Trail): Node {
  if (scope.compilation.settled.has(node)) return node
  const steps = isNull(node) ? [] : expandSteps(node, scope, trail)
  const settled = closed(
    listNode(
      steps.map(({ name, body }) => mapOf([[name, body]], body)),
      node,
    ),
  )
  scope.compilation.settled.add(settled)
  return settled
}

const closed = (node: Node): Node => (node.open ? { ...node, open: false } : node)

function settledSteps(node: Node, { compilation }: Scope): readonly BareStep[] {
  spend(compilation, node.weight)
  if (node.kind !== 'list') return []
  return node.items.flatMap((item) => {
    const [entry] = item.kind === 'map' ? item.entries : []
    return entry && entry[1].value.kind === 'map' ? [{ name: entry[0], body: entry[1].value }] : []
  })
}

/** A text that stands for steps: `<< parameters.before >>`, or a name made of parameters. */
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

/** A command shadows a built-in step of its name (§A6). */
function expandNamed(name: string, place: Place, given: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  const command = find(scope.library, 'commands', name)
  if (command && !scope.calls.includes(command.node)) return expandCommand(name, command, place, given, scope, trail)
  const kind = builtIn.get(name)
  if (kind) {
    const step = fullStep(name, kind, substitute(given, scope, trail), trail)
    if (step) spend(scope.compilation, step.body.weight)
    return step ? [step] : []
  }
  if (command) blame(trail, place, `Cannot call command ${name}: it calls itself`)
  else if (name === 'when' || name === 'unless') return expandConditional(name, given, scope, trail)
  else if (name === 'steps') return isNull(given) ? [] : expandSteps(given, scope, trail)
  else blameMissing(scope.library, 'commands', name, place, trail, builtIn.keys())
  return []
}

function expandConditional(name: 'when' | 'unless', given: Node, scope: Scope, trail: Trail): readonly BareStep[] {
  const map = asMap(given, trail, name)
  if (!map) return []
  checkKeys(map, ['condition', 'steps'], trail)
  const [condition, steps] = [get(map, 'condition'), get(map, 'steps')]
  if (!condition) blame(trail, map, 'required key [condition] not found')
  if (!steps) blame(trail, map, 'required key [steps] not found')
  if (!condition || !steps) return []
  const wanted = holds(substitute(condition, scope, trail), trail) === (name === 'when')
  return wanted && !isNull(steps) ? expandSteps(steps, scope, trail) : []
}

function expandCommand(
  name: string,
  command: Definition,
  place: Place,
  given: Node,
  scope: Scope,
  trail: Trail,
): readonly BareStep[] {
  const here = within(trail, `command: ${name}`)
  const map = asMap(command.node, here)
  if (!map) return []
  checkKeys(map, ['description', 'parameters', 'steps'], here)
  const steps = get(map, 'steps')
  if (!steps) blame(here, map, 'required key [steps] not found')
  const args = substituteArguments(given, scope, here)
  if (!args || !steps) return []
  const call = {
    declared: get(map, 'parameters'),
    given: args,
    place,
    caller: scope,
    library: command.library,
    settleSteps,
  }
  const parameters = bind(call, here)
  const inner: Scope = { ...scope, library: command.library, parameters, calls: [...scope.calls, command.node] }
  return expandSteps(steps, inner, here)
}

/** The arguments of a call, still as written: a mapping, nothing, or a parameter that stands for one of them. */
function substituteArguments(given: Node, scope: Scope, trail: Trail) {
  const node = given.kind === 'scalar' ? substitute(given, scope, trail) : given
  if (isNull(node)) return new Map()
  return node.kind === 'map' ? node.entries : unexpected(node, 'Mapping', trail)
}
