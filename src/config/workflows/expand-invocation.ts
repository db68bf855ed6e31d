import type { PlannedJob } from '#core/plan.ts'
import { blameMissing, find } from '#config/definitions/library.ts'
import type { Scope } from '#config/definitions/scope.ts'
import { expandJob } from '#config/expand-job.ts'
import { asTexts, asWord } from '#config/read.ts'
import { substitute } from '#config/templates/substitute.ts'
import { type Trail, within } from '#config/trail.ts'
import { get, isNull, type MapNode, mapNode, type Node, type Place } from '#config/yaml/node.ts'
import { passes, readFilters, type Ref } from './filters.ts'
import type { Invocation } from './invocation.ts'
import { readRequires } from './requires.ts'

const kinds: readonly PlannedJob['kind'][] = ['build', 'approval', 'no-op', 'lock', 'unlock', 'release']

/** One item of a workflow's `jobs` as it was written. */
export interface WrittenInvocation {
  readonly job: string
  readonly map: MapNode
  readonly place: Place
}

/** Takes an item of `jobs` apart: a name, or a name with what is said about it. */
export function readInvocation(item: Node): WrittenInvocation | undefined {
  if (item.kind === 'scalar' && item.value !== null)
    return { job: item.text, map: mapNode(new Map(), item), place: item }
  if (item.kind !== 'map' || item.entries.size !== 1) return undefined
  const [entry] = item.entries
  if (!entry) return undefined
  const [job, { place, value }] = entry
  if (value.kind === 'map') return { job, map: value, place }
  return isNull(value) ? { job, map: mapNode(new Map(), place), place } : undefined
}

/** The invocations that one item of `jobs` stands for. */
export function expandInvocation(
  written: WrittenInvocation,
  scope: Scope,
  ref: Ref,
  trail: Trail,
): readonly Invocation[] {
  const { job, map, place } = written
  const here = within(trail, `job: ${job}`)
  const settled = substitute(map, scope, here)
  const name = get(settled, 'name')
  const title = name?.kind === 'scalar' && name.text !== '' ? name.text : job
  const filters = get(settled, 'filters')
  const context = get(settled, 'context')
  const definition = find(scope.library, 'jobs', job)
  const kind = kindOf(get(settled, 'type') ?? get(definition?.node, 'type'), here)
  if (!definition && kind === 'build') {
    blameMissing(scope.library, 'jobs', job, place, trail)
    return []
  }
  const expanded = kind === 'build' && definition ? expandJob(definition, scope, here) : undefined
  const key = get(definition?.node, 'key')
  return [
    {
      name: title,
      answersTo: [title],
      kind,
      requires: readRequires(get(settled, 'requires'), here),
      contexts: context ? asTexts(context, here, 'context') : [],
      filters,
      runs: passes(readFilters(filters, here), ref),
      ...(key?.kind === 'scalar' && { key: key.text }),
      ...(expanded && { job: expanded }),
      place,
    },
  ]
}

function kindOf(node: Node | undefined, trail: Trail): PlannedJob['kind'] {
  return (node && !isNull(node) ? asWord(node, kinds, trail, 'type') : undefined) ?? 'build'
}
