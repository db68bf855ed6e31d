import { argumentProblem } from '#config/definitions/argument-type.ts'
import { type Parameter, pipelineTypes, readParameters } from '#config/definitions/parameters.ts'
import { hint } from '#config/nearest.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, type MapNode, type Node, scalarNode } from '#config/yaml/node.ts'

type Given = Readonly<Record<string, string | number | boolean>>

/** The parameters of a pipeline: those given at its trigger, checked, and the defaults of the others. */
export function pipelineParameters(root: MapNode, given: Given, outer: Trail): ReadonlyMap<string, Node> {
  const trail = within(outer, 'parameters')
  const declared = readParameters(get(root, 'parameters'), trail, pipelineTypes)
  const extra = Object.keys(given).filter((name) => !declared.has(name))
  if (extra.length > 0) {
    blame(outer, undefined, `Unexpected argument(s): ${extra.join(', ')}${hint(extra[0]!, declared.keys())}`)
  }
  const values = new Map<string, Node>()
  for (const [name, parameter] of declared) values.set(name, valueOf(name, parameter, given, trail))
  return values
}

function valueOf(name: string, parameter: Parameter, given: Given, trail: Trail): Node {
  const { usual, place } = parameter
  if (!usual) blame(trail, place, `A pipeline parameter must have a default: ${name}`)
  else blameMisfit(name, parameter, usual, trail)
  if (!Object.hasOwn(given, name)) return usual ?? scalarNode('', place)
  const value = scalarNode(given[name]!, place)
  blameMisfit(name, parameter, value, trail)
  return value
}

function blameMisfit(name: string, parameter: Parameter, value: Node, trail: Trail): void {
  const problem = argumentProblem(name, parameter, value)
  if (problem !== undefined) blame(trail, value, problem)
}
