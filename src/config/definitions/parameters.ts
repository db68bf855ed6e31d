import { asMap, asWord, checkKeys } from '#config/read.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, type MapNode, type Node, type Place } from '#config/yaml/node.ts'

/** What kinds of values a parameter can take. */
export type ParameterType = 'string' | 'boolean' | 'integer' | 'enum' | 'executor' | 'steps' | 'env_var_name'

/** What a definition says about one of its parameters. */
export interface Parameter {
  readonly type: ParameterType
  /** Without one, an argument must be given. */
  readonly usual: Node | undefined
  /** Of `enum` only: the values there are. */
  readonly choices: readonly string[]
  readonly place: Place
}

/** Every type that a parameter can have. */
export const types: readonly ParameterType[] = [
  'string',
  'boolean',
  'integer',
  'enum',
  'executor',
  'steps',
  'env_var_name',
]
/** Types that a whole pipeline can have, as its parameters come from outside. */
export const pipelineTypes: readonly ParameterType[] = ['string', 'boolean', 'integer', 'enum']

/** What can be said about a parameter. */
export const parameterKeys = ['type', 'default', 'description', 'enum']

/** Reads the `parameters` of a definition. */
export function readParameters(node: Node | undefined, trail: Trail, allowed = types): ReadonlyMap<string, Parameter> {
  const parameters = new Map<string, Parameter>()
  const map = node && !isNull(node) ? asMap(node, trail, 'parameters') : undefined
  for (const [name, { value }] of map?.entries ?? []) {
    const here = within(trail, `parameter: ${name}`)
    const declaration = asMap(value, here)
    const parameter = declaration && readParameter(declaration, here, allowed)
    if (parameter) parameters.set(name, parameter)
  }
  return parameters
}

function readParameter(map: MapNode, trail: Trail, allowed: readonly ParameterType[]): Parameter | undefined {
  checkKeys(map, parameterKeys, trail)
  const node = get(map, 'type')
  if (!node) blame(trail, map, 'required key [type] not found')
  const type = node && asWord(node, allowed, trail, 'type')
  if (!type) return undefined
  return { type, usual: get(map, 'default'), choices: type === 'enum' ? readChoices(map, trail) : [], place: map }
}

function readChoices(map: MapNode, trail: Trail): readonly string[] {
  const node = get(map, 'enum')
  if (node?.kind === 'list' && node.items.length > 0) {
    return node.items.map((item) => (item.kind === 'scalar' ? item.text : ''))
  }
  blame(trail, node ?? map, 'A parameter of type enum must list its values under [enum]')
  return []
}
