import { type Scope, spend } from '#config/definitions/scope.ts'
import { isEqual } from '#config/logic.ts'
import { asItems, asMap, checkKeys, textAt } from '#config/read.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, type MapNode, type Node } from '#config/yaml/node.ts'

/** One set of arguments out of a matrix. */
export type Combination = ReadonlyMap<string, Node>

/** What a matrix stands for. */
export interface Matrix {
  readonly combinations: readonly Combination[]
  /** What stands for all of them in `requires`. */
  readonly alias: string | undefined
}

/** More jobs than anybody means to run. */
const mostCombinations = 1000

/** Every combination of a matrix that is not excluded, the first parameter changing slowest. */
export function readMatrix(node: Node, scope: Scope, outer: Trail): Matrix {
  const trail = within(outer, 'matrix')
  const map = asMap(substitute(node, scope, trail), trail)
  const parameters = map && get(map, 'parameters')
  if (map) checkKeys(map, ['parameters', 'exclude', 'alias'], trail)
  if (map && !parameters) blame(trail, map, 'required key [parameters] not found')
  const axes = map && parameters ? asMap(parameters, trail, 'parameters') : undefined
  if (!map || !axes) return { combinations: [], alias: undefined }
  const all = product(axes, scope, trail)
  const excluded = readExcluded(get(map, 'exclude'), axes, trail)
  const combinations = all.filter((combination) => !excluded.some((unwanted) => isCombination(unwanted, combination)))
  if (all.length > 0 && combinations.length === 0)
    blame(trail, map, 'A matrix must not exclude all of its combinations')
  return { combinations, alias: textAt(map, 'alias', trail) }
}

function product(axes: MapNode, scope: Scope, trail: Trail): readonly Combination[] {
  let size = 1
  const lists = [...axes.entries].map(([name, { value }]) => {
    const values = asItems(value, trail, name)
    if (value.kind === 'list' && values.length === 0) blame(trail, value, `[${name}] must have at least one value`)
    size *= values.length
    return { name, values }
  })
  if (size > mostCombinations) {
    blame(trail, axes, `Cannot expand a matrix of more than ${mostCombinations} combinations: it has ${size}`)
    return []
  }
  spend(scope.compilation, size * (lists.length + 1))
  let combinations: readonly Combination[] = size === 0 ? [] : [new Map()]
  for (const { name, values } of lists) {
    combinations = combinations.flatMap((before) => values.map((value) => new Map(before).set(name, value)))
  }
  return combinations
}

function readExcluded(node: Node | undefined, axes: MapNode, trail: Trail): readonly MapNode[] {
  if (!node || isNull(node)) return []
  const excluded = asItems(node, trail, 'exclude').map((item) => asMap(item, trail, 'exclude'))
  return excluded.filter((item) => item !== undefined).filter((item) => isWhole(item, axes, trail))
}

/** An exclusion names every parameter of the matrix: half a combination is not one (§A10). */
function isWhole(item: MapNode, axes: MapNode, trail: Trail): boolean {
  const missing = [...axes.entries.keys()].filter((name) => !item.entries.has(name))
  const strange = [...item.entries.keys()].filter((name) => !axes.entries.has(name))
  if (missing.length > 0)
    blame(trail, item, `[exclude] must name every parameter of the matrix, missing: ${missing.join(', ')}`)
  if (strange.length > 0)
    blame(trail, item, `[exclude] names what is no parameter of the matrix: ${strange.join(', ')}`)
  return missing.length === 0 && strange.length === 0
}

const isCombination = (item: MapNode, combination: Combination) =>
  [...combination].every(([name, value]) => isEqual(get(item, name)!, value))

/** The name of a job for one combination: the values in the order of their parameters' names (§A10). */
export function combinationName(job: string, combination: Combination): string {
  const names = [...combination.keys()].sort()
  return [job, ...names.map((name) => textOf(combination.get(name)!))].join('-')
}

function textOf(value: Node): string {
  const named = get(value, 'name') ?? value
  return named.kind === 'scalar' ? named.text : ''
}
