import type { Scope } from '#config/definitions/scope.ts'
import { asMap } from '#config/read.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, type MapNode } from '#config/yaml/node.ts'
import { nodeOf, type Written } from '#config/yaml/node-of.ts'
import { expandInvocation } from './expand-invocation.ts'
import { expandWorkflow } from './expand-workflow.ts'
import { everyRef, type NameFilter, readNameFilter, type Ref } from './filters.ts'
import type { ExpandedWorkflow } from './invocation.ts'

/** The workflow around a lone job, where a configuration has none. */
const implicitName = 'workflow'

/** Every workflow whose own condition lets it run, or the one around a lone job. */
export function expandWorkflows(
  root: MapNode,
  scope: Scope,
  ref: Ref,
  job: string | undefined,
  trail: Trail,
): readonly ExpandedWorkflow[] {
  const node = get(root, 'workflows')
  if (job !== undefined) return loneJob(job, root, everyRef, scope, ref, trail)
  if (!node || isNull(node)) return implicitWorkflow(root, scope, ref, trail)
  blameJobFilters(root, trail)
  const map = asMap(node, trail, 'workflows')
  return [...(map?.entries ?? [])]
    .filter(([name]) => name !== 'version')
    .map(([name, { value }]) => expandWorkflow(name, value, scope, ref, trail))
    .filter((workflow) => workflow !== undefined)
}

function blameJobFilters(root: MapNode, trail: Trail): void {
  const jobs = get(root, 'jobs')
  if (jobs?.kind !== 'map') return
  for (const [name, { value }] of jobs.entries) {
    const branches = get(value, 'branches')
    if (!branches) continue
    const message = `Job "${name}" has filters configured in the job definition. These filters are incompatible with workflows.`
    blame(within(trail, `job: ${name}`), branches, message)
  }
}

function implicitWorkflow(root: MapNode, scope: Scope, ref: Ref, trail: Trail): readonly ExpandedWorkflow[] {
  if (scope.library.jobs.has('build')) return loneJob('build', root, ownFilters(root, trail), scope, ref, trail)
  const missing = 'Cannot find a job named `build` to run in the `jobs:` section of your configuration file.'
  const advice = "If you expected a workflow to run, check your config contains a top-level key called 'workflows:'"
  blame(trail, get(root, 'jobs') ?? root, `${missing}\n${advice}`)
  return []
}

/** A job alone in a workflow. */
function loneJob(
  job: string,
  root: MapNode,
  filters: Written | undefined,
  scope: Scope,
  ref: Ref,
  outer: Trail,
): readonly ExpandedWorkflow[] {
  const trail = within(outer, `workflow: ${implicitName}`)
  const place = get(get(root, 'jobs'), job) ?? root
  const map = nodeOf({ filters }, place)
  if (map.kind !== 'map') return []
  const invocations = expandInvocation({ job, map, place }, scope, ref, trail)
  return [{ name: implicitName, invocations, triggers: undefined, place }]
}

/** The `branches` of a job, where unlike in a workflow's filters `ignore` decides if both are given (§A3). */
export function ownBranches(root: MapNode, trail: Trail): NameFilter | undefined {
  const filter = readNameFilter(get(get(get(root, 'jobs'), 'build'), 'branches'), within(trail, 'job: build'))
  return filter?.ignore ? { ignore: filter.ignore } : filter
}

function ownFilters(root: MapNode, trail: Trail): Written | undefined {
  const branches = ownBranches(root, trail)
  return branches && { branches: { ...branches } }
}
