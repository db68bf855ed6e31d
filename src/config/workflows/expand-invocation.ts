import type { PlannedJob } from '#core/plan.ts'
import { blameMissing, type Definition, find } from '#config/definitions/library.ts'
import { type Scope, spend } from '#config/definitions/scope.ts'
import { expandJob } from '#config/expand-job.ts'
import { asTexts, asWord, checkKeys, textAt } from '#config/read.ts'
import { substitute, substituteKey } from '#config/templates/substitute.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { type Entry, get, isNull, type MapNode, mapNode, type Node, type Place } from '#config/yaml/node.ts'
import { decideFilters, type Ref } from './filters.ts'
import type { Invocation } from './invocation.ts'
import { combinationName, readMatrix } from './matrix.ts'
import { readRequires } from './requires.ts'
import { inSeries } from './serial-group.ts'

/** Every kind of job. */
export const kinds: readonly PlannedJob['kind'][] = ['build', 'approval', 'no-op', 'lock', 'unlock', 'release']

/** What can be said about any job; everything else is an argument. */
export const ownKeys = new Set([
  'name',
  'requires',
  'filters',
  'context',
  'type',
  'matrix',
  'pre-steps',
  'post-steps',
  'serial-group',
  'override-with',
])

/** One item of a workflow's `jobs` as it was written. */
export interface WrittenInvocation {
  readonly job: string
  readonly map: MapNode
  readonly place: Place
}

/** Takes an item of `jobs` apart: a name, or a name with what is said about it. */
export function readInvocation(item: Node, scope: Scope, trail: Trail): WrittenInvocation | undefined {
  if (item.kind === 'scalar' && item.value !== null) {
    return { job: substituteKey(item.text, item, scope, trail), map: mapNode(new Map(), item), place: item }
  }
  if (item.kind !== 'map' || item.entries.size !== 1) return undefined
  const [entry] = item.entries
  if (!entry) return undefined
  const [key, { place, value }] = entry
  const job = substituteKey(key, place, scope, trail)
  if (value.kind === 'map') return { job, map: value, place }
  return isNull(value) ? { job, map: mapNode(new Map(), place), place } : undefined
}

/** The invocations that one item of `jobs` stands for: one, or one for each combination of its matrix. */
export function expandInvocation(
  written: WrittenInvocation,
  scope: Scope,
  ref: Ref,
  outer: Trail,
): readonly Invocation[] {
  const trail = within(outer, `job: ${written.job}`)
  const matrix = get(written.map, 'matrix')
  if (!matrix || isNull(matrix)) return expandOne(written, written.map, undefined, scope, ref, trail)
  const { combinations, alias } = readMatrix(matrix, scope, trail)
  if (combinations.length === 0) return [placeholder(written, alias ?? written.job)]
  return combinations.flatMap((combination) => {
    const entries = new Map(written.map.entries)
    entries.delete('matrix')
    for (const [name, value] of combination) entries.set(name, { place: value, value })
    const here: Scope = { ...scope, matrix: combination }
    const name = combinationName(written.job, combination)
    return expandOne(written, mapNode(entries, written.map), { name, alias: alias ?? written.job }, here, ref, trail)
  })
}

/** A matrix without combinations is a problem already; that others require it is not another one. */
function placeholder({ job, place }: WrittenInvocation, alias: string): Invocation {
  return {
    name: job,
    answersTo: [job, alias],
    kind: 'no-op',
    requires: [],
    contexts: [],
    filters: undefined,
    runs: true,
    place,
  }
}

function expandOne(
  { job, place }: WrittenInvocation,
  map: MapNode,
  matrix: { readonly name: string; readonly alias: string } | undefined,
  scope: Scope,
  ref: Ref,
  trail: Trail,
): readonly Invocation[] {
  spend(scope.compilation, map.weight)
  const own = new Map<string, Entry>()
  const given = new Map<string, Entry>()
  for (const [key, entry] of map.entries) {
    if (!ownKeys.has(key)) given.set(key, entry)
    else if (key !== 'pre-steps' && key !== 'post-steps' && key !== 'matrix') {
      own.set(key, { place: entry.place, value: substitute(entry.value, scope, trail) })
    }
  }
  const said = mapNode(own, map)
  const definition = definitionOf(job, said, scope, trail)
  const kind = kindOf(get(said, 'type') ?? get(definition?.node, 'type'), trail)
  // Only an approval needs no definition (A10).
  if (!definition && kind !== 'approval') blameMissing(scope.library, 'jobs', job, place, trail)
  if (kind !== 'build') blameArguments(given, kind, trail)
  const name = textAt(said, 'name', trail) || matrix?.name || job
  const call = { given, before: get(map, 'pre-steps'), after: get(map, 'post-steps'), place, keysBeside: [...ownKeys] }
  const expanded = kind === 'build' && definition ? expandJob({ ...call, definition }, scope, trail) : undefined
  const { runs, filters } = decideFilters(get(said, 'filters'), ref, scope, trail)
  const context = get(said, 'context')
  const key = kind === 'lock' || kind === 'unlock' ? wordOf('key', definition, scope, trail) : undefined
  const planName = kind === 'release' ? wordOf('plan_name', definition, scope, trail) : undefined
  const invocation: Invocation = {
    name,
    answersTo: matrix ? [name, matrix.alias] : [name],
    kind,
    requires: readRequires(get(said, 'requires'), trail),
    contexts: context ? asTexts(context, trail, 'context') : [],
    filters,
    runs,
    ...(key !== undefined && { key }),
    ...(planName !== undefined && { planName }),
    ...(expanded && { job: expanded }),
    place,
  }
  return inSeries(invocation, textAt(said, 'serial-group', trail), trail)
}

/** A job of an orb may take the place of a local one, if there is such an orb (§A10). */
function definitionOf(job: string, said: MapNode, scope: Scope, trail: Trail): Definition | undefined {
  const instead = textAt(said, 'override-with', trail)
  return (instead !== undefined && find(scope.library, 'jobs', instead)) || find(scope.library, 'jobs', job)
}

function kindOf(node: Node | undefined, trail: Trail): PlannedJob['kind'] {
  return (node && !isNull(node) ? asWord(node, kinds, trail, 'type') : undefined) ?? 'build'
}

function blameArguments(given: ReadonlyMap<string, Entry>, kind: string, trail: Trail): void {
  const [first] = given
  if (first)
    blame(trail, first[1].place, `Cannot give arguments to a job of type ${kind}: ${[...given.keys()].join(', ')}`)
}

/** What can be said about a job that runs nothing. */
export const synthetic = ['type', 'description', 'key', 'parameters', 'plan_name', 'validation']

/** What a job that runs nothing is about: the `key` of a lock, the `plan_name` of a release. */
function wordOf(
  name: 'key' | 'plan_name',
  definition: Definition | undefined,
  scope: Scope,
  trail: Trail,
): string | undefined {
  if (definition?.node.kind !== 'map') return undefined
  // Steps that nothing will run are ignored; a typo is not.
  checkKeys(definition.node, synthetic, { ...trail, isTolerant: true })
  const word = get(definition.node, name)
  if (!word) blame(trail, definition.node, `required key [${name}] not found`)
  const value = word && substitute(word, scope, trail)
  return value?.kind === 'scalar' ? value.text : undefined
}
