import { hint } from '#config/nearest.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, type Trail } from '#config/trail.ts'
import { type Entry, type Node, type Place, scalarNode } from '#config/yaml/node.ts'
import { argumentProblem } from './argument-type.ts'
import type { Library } from './library.ts'
import { type Parameter, readParameters } from './parameters.ts'
import { type Scope, spend } from './scope.ts'

/** Somebody uses a definition with arguments. */
export interface Call {
  /** The `parameters` of the definition. */
  readonly declared: Node | undefined
  /** The arguments as written. */
  readonly given: ReadonlyMap<string, Entry>
  readonly place: Place
  /** Where the arguments were written. */
  readonly caller: Scope
  /** Where the definition was written. */
  readonly library: Library
  /** Other keys that could have been meant by a name that is no parameter. */
  readonly keysBeside?: readonly string[]
  /** Expands a list of steps where it was written, so that it may be handed on. */
  readonly settleSteps: (node: Node, scope: Scope, trail: Trail) => Node
}

/** The values of a definition's parameters for one call. Arguments mean what they mean to the caller. */
export function bind(call: Call, trail: Trail): ReadonlyMap<string, Node> {
  const parameters = readParameters(call.declared, trail)
  spend(call.caller.compilation, parameters.size)
  const values = new Map<string, Node>()
  const missing: string[] = []
  for (const [name, parameter] of parameters) {
    const given = call.given.get(name)
    const value = given ? argument(name, parameter, given.value, call, trail) : usual(name, parameter, call, trail)
    // What is missing or wrong is a problem already; in its place stands nothing, so that it has no echoes.
    values.set(name, value ?? scalarNode(null, call.place))
    if (!given && !parameter.usual) missing.push(name)
  }
  if (missing.length > 0) blame(trail, call.place, `Missing required argument(s): ${missing.join(', ')}`)
  const extra = [...call.given.keys()].filter((name) => !parameters.has(name))
  if (extra.length > 0) {
    const place = call.given.get(extra[0]!)!.place
    blame(
      trail,
      place,
      `Unexpected argument(s): ${extra.join(', ')}${hint(extra[0]!, [...parameters.keys(), ...(call.keysBeside ?? [])])}`,
    )
  }
  return values
}

function argument(name: string, parameter: Parameter, given: Node, call: Call, trail: Trail): Node | undefined {
  return checked(name, parameter, settled(parameter, given, call.caller, call, trail), given, trail)
}

/** A default stands in the definition, and knows its library but none of the arguments. */
function usual(name: string, parameter: Parameter, call: Call, trail: Trail): Node | undefined {
  if (!parameter.usual) return undefined
  const scope: Scope = { ...call.caller, library: call.library, parameters: undefined }
  return checked(name, parameter, settled(parameter, parameter.usual, scope, call, trail), parameter.usual, trail)
}

function settled(parameter: Parameter, node: Node, scope: Scope, call: Call, trail: Trail): Node {
  if (parameter.type === 'steps') return call.settleSteps(node, scope, trail)
  const value = substitute(node, scope, trail)
  const { origins } = scope.compilation
  if (parameter.type !== 'executor' || origins.has(value)) return value
  const own = { ...value }
  origins.set(own, scope.library)
  return own
}

function checked(name: string, parameter: Parameter, value: Node, place: Place, trail: Trail): Node | undefined {
  const problem = argumentProblem(name, parameter, value)
  if (problem === undefined) return value
  blame(trail, place, problem)
  return undefined
}
