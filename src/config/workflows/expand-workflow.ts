import type { Scope } from '#config/definitions/scope.ts'
import { asInteger, asItems, asMap, checkKeys } from '#config/read.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, type Node, type Place } from '#config/yaml/node.ts'
import { expandInvocation, readInvocation } from './expand-invocation.ts'
import type { Ref } from './filters.ts'
import type { ExpandedWorkflow, Invocation } from './invocation.ts'

const workflowKeys = ['jobs', 'triggers', 'when', 'unless', 'max_auto_reruns']

/** A workflow with every job in it resolved; undefined if its own condition keeps it out. */
export function expandWorkflow(
  name: string,
  node: Node,
  scope: Scope,
  ref: Ref,
  trail: Trail,
): ExpandedWorkflow | undefined {
  const here = within(trail, `workflow: ${name}`)
  const map = asMap(node, here)
  if (!map) return undefined
  checkKeys(map, workflowKeys, here)
  const jobs = get(map, 'jobs')
  if (!jobs) blame(here, map, 'required key [jobs] not found')
  const reruns = get(map, 'max_auto_reruns')
  const maxAutoReruns = reruns && asInteger(reruns, 1, 5, here, 'max_auto_reruns')
  return {
    name,
    invocations: jobs ? expandInvocations(jobs, scope, ref, here) : [],
    ...(maxAutoReruns !== undefined && { maxAutoReruns }),
    triggers: get(map, 'triggers'),
    place: map,
  }
}

function expandInvocations(jobs: Node, scope: Scope, ref: Ref, trail: Trail): readonly Invocation[] {
  return asItems(jobs, trail, 'jobs').flatMap((item) => {
    const written = readInvocation(item)
    if (written) return expandInvocation(written, scope, ref, trail)
    blameItem(item, trail)
    return []
  })
}

function blameItem(item: Node, trail: Trail): void {
  const place: Place = item
  blame(
    trail,
    place,
    'Cannot read an item of [jobs] as it must be the name of a job, or one name with a mapping of what is said about it',
  )
}

/** The workflow around a lone job `build`, where a configuration has none. */
export const implicitName = 'workflow'
