import { bind } from './definitions/bind.ts'
import { callExecutor, mergeExecutor } from './definitions/call-executor.ts'
import type { Definition } from './definitions/library.ts'
import { type Scope, spend } from './definitions/scope.ts'
import type { ExpandedJob } from './expanded-job.ts'
import { asMap, checkKeys } from './read.ts'
import { jobKeys } from './read-job.ts'
import { expandSteps, settleSteps } from './steps/expand-steps.ts'
import { substitute } from './templates/substitute.ts'
import { blame, type Trail } from './trail.ts'
import { type Entry, get, isNull, type MapNode, mapNode, type Node, type Place } from './yaml/node.ts'

/** What a workflow says about a job it runs. */
export interface JobCall {
  readonly definition: Definition
  readonly given: ReadonlyMap<string, Entry>
  readonly before: Node | undefined
  readonly after: Node | undefined
  readonly place: Place
  /** What may be said beside the arguments. */
  readonly keysBeside: readonly string[]
}

/** What can be said about a job where it is defined. */
export const definitionKeys = [...jobKeys, 'parameters', 'executor']
const places = ['docker', 'machine', 'macos']
const dropped = new Set(['steps', 'parameters', 'description', 'type', 'branches', 'executor'])

/** Resolves everything a job refers to, for one set of arguments. */
export function expandJob(call: JobCall, caller: Scope, trail: Trail): ExpandedJob | undefined {
  const { expanded } = caller.compilation
  const isPlain = call.given.size === 0 && !call.before && !call.after
  const { node, library } = call.definition
  const known = isPlain ? expanded.get(node) : undefined
  // One node may, through an alias, be defined in a configuration and in its inline orb, and mean two things.
  if (known?.library === library) return known.job
  const job = expand(call, caller, trail)
  if (job && isPlain) expanded.set(node, { library, job })
  return job
}

function expand(call: JobCall, caller: Scope, trail: Trail): ExpandedJob | undefined {
  const { definition, given, place, keysBeside } = call
  const job = asMap(definition.node, trail)
  if (!job) return undefined
  // Version 2 never minded what it did not know, and real configurations count on it (§A13); a job that runs nowhere was a slip of the pen.
  if (caller.compilation.templates || !places.some((key) => job.entries.has(key))) checkKeys(job, definitionKeys, trail)
  const { library } = definition
  const parameters = bind(
    { declared: get(job, 'parameters'), given, place, caller, library, keysBeside, settleSteps },
    trail,
  )
  blameReserved(get(job, 'parameters'), keysBeside, trail)
  const scope: Scope = { compilation: caller.compilation, library, parameters, calls: [] }
  const steps = get(job, 'steps')
  if (!steps) blame(trail, job, 'required key [steps] not found')
  const reference = get(job, 'executor')
  const executor = reference
    ? callExecutor(substitute(reference, scope, trail), scope, trail)
    : new Map<string, Entry>()
  const map = mergeExecutor(executor ?? new Map(), settled(job, scope, trail), trail)
  spend(scope.compilation, map.weight)
  return {
    map,
    isHomeless: executor === undefined,
    steps: [
      ...stepsOf(call.before, caller, trail),
      ...stepsOf(steps, scope, trail),
      ...stepsOf(call.after, caller, trail),
    ],
  }
}

/** A parameter of such a name could never get an argument. */
function blameReserved(declared: Node | undefined, reserved: readonly string[], trail: Trail): void {
  if (declared?.kind !== 'map') return
  for (const [name, { place }] of declared.entries) {
    if (reserved.includes(name)) blame(trail, place, `Cannot use the reserved name ${name} for a parameter of a job`)
  }
}

const stepsOf = (node: Node | undefined, scope: Scope, trail: Trail) =>
  node && !isNull(node) ? expandSteps(node, scope, trail) : []

/** The keys of a job that stay, their values final. */
function settled(job: MapNode, scope: Scope, trail: Trail): MapNode {
  const entries = new Map<string, Entry>()
  for (const [key, { place, value }] of job.entries) {
    if (!dropped.has(key)) entries.set(key, { place, value: substitute(value, scope, trail) })
  }
  return mapNode(entries, job)
}
