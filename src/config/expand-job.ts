import type { Definition } from './definitions/library.ts'
import type { Scope } from './definitions/scope.ts'
import { mergeEnvironments } from './environment.ts'
import { asMap } from './read.ts'
import { expandSteps } from './steps/expand-steps.ts'
import type { BareStep } from './steps/read-step.ts'
import { substitute } from './templates/substitute.ts'
import { blame, type Trail } from './trail.ts'
import { type Entry, get, type MapNode, mapNode, type Node } from './yaml/node.ts'

/** A job with its references resolved: what is left is plain values and built-in steps. */
export interface ExpandedJob {
  readonly map: MapNode
  readonly steps: readonly BareStep[]
}

/** Resolves everything a job refers to, for one set of arguments. */
export function expandJob(definition: Definition, caller: Scope, trail: Trail): ExpandedJob | undefined {
  const job = asMap(definition.node, trail)
  if (!job) return undefined
  const scope: Scope = { ...caller, library: definition.library, parameters: new Map() }
  const steps = get(job, 'steps')
  if (!steps) blame(trail, job, 'required key [steps] not found')
  return { map: settledMap(job, scope, trail), steps: steps ? expandSteps(steps, scope, trail) : [] }
}

/** The keys of a job that stay, their values final. */
function settledMap(job: MapNode, scope: Scope, trail: Trail): MapNode {
  const entries = new Map<string, Entry>()
  for (const [key, { place, value }] of job.entries) {
    if (!dropped.has(key)) entries.set(key, { place, value: substitute(value, scope, trail) })
  }
  const environment = mergeEnvironments([valueOf(entries, 'environment')], job, trail)
  if (environment) entries.set('environment', { place: environment, value: environment })
  return mapNode(entries, job)
}

const dropped = new Set(['steps', 'parameters', 'description', 'type', 'branches'])

const valueOf = (entries: ReadonlyMap<string, Entry>, key: string): Node | undefined => entries.get(key)?.value
