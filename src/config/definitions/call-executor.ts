import { mergeEnvironments } from '#config/environment.ts'
import { executorTypes } from '#config/executors/read-executor.ts'
import { asMap, checkKeys, unexpected } from '#config/read.ts'
import { executorKeys } from '#config/read-job.ts'
import { settleSteps } from '#config/steps/expand-steps.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { type Entry, get, isNull, type MapNode, mapNode, type Node } from '#config/yaml/node.ts'
import { bind } from './bind.ts'
import { blameMissing, find } from './library.ts'
import type { Scope } from './scope.ts'

/** What a definition of an executor may say. */
const definitionKeys = [...executorKeys, 'parameters', 'description']

/** The keys an executor brings to a job: `executor: name`, or `executor: {name, …arguments}`. Undefined if there is none. */
export function callExecutor(reference: Node, scope: Scope, trail: Trail): ReadonlyMap<string, Entry> | undefined {
  const name = reference.kind === 'map' ? get(reference, 'name') : reference
  // A parameter without its argument is a problem already.
  if (isNull(name) && trail.problems.length > 0) return undefined
  if (name?.kind !== 'scalar' || typeof name.value !== 'string') {
    return unexpected(name ?? reference, 'String', trail, 'executor')
  }
  const { origins } = scope.compilation
  const library = origins.get(reference) ?? origins.get(name) ?? scope.library
  const definition = find(library, 'executors', name.value)
  if (!definition) {
    blameMissing(library, 'executors', name.value, reference, trail)
    return undefined
  }
  const here = within(trail, `executor: ${name.value}`)
  const map = asMap(definition.node, here)
  if (!map) return undefined
  checkDefinition(map, here)
  const given = new Map(reference.kind === 'map' ? reference.entries : [])
  given.delete('name')
  const caller = { ...scope, library }
  const call = {
    declared: get(map, 'parameters'),
    given,
    place: reference,
    caller,
    library: definition.library,
    settleSteps,
  }
  const inner: Scope = { ...scope, library: definition.library, parameters: bind(call, here) }
  return settledEntries(map, inner, here)
}

function checkDefinition(map: MapNode, trail: Trail): void {
  if (executorTypes.some((type) => map.entries.has(type))) return checkKeys(map, definitionKeys, trail)
  const [stranger] = [...map.entries].filter(([key]) => !definitionKeys.includes(key))
  if (!stranger) return
  const supported = 'The supported executor types are "macos", "machine", "docker"'
  blame(trail, stranger[1].place, `"${stranger[0]}" is not a supported executor type. ${supported}`)
}

function settledEntries(map: MapNode, scope: Scope, trail: Trail): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const [key, { place, value }] of map.entries) {
    if (executorKeys.includes(key)) entries.set(key, { place, value: substitute(value, scope, trail) })
  }
  return entries
}

/** A job's keys on top of its executor's: the job's win, and environments add up (§A5). */
export function mergeExecutor(executor: ReadonlyMap<string, Entry>, job: MapNode, trail: Trail): MapNode {
  const entries = new Map(executor)
  if (executorTypes.some((type) => job.entries.has(type))) for (const type of executorTypes) entries.delete(type)
  for (const [key, entry] of job.entries) entries.set(key, entry)
  const environment = mergeEnvironments([executor.get('environment')?.value, get(job, 'environment')], job, trail)
  if (environment) entries.set('environment', { place: environment, value: environment })
  else entries.delete('environment')
  return mapNode(entries, job)
}
