import type { Scope } from '#config/definitions/scope.ts'
import { asInteger, asItems, asMap, checkKeys } from '#config/read.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, isNull, type Node } from '#config/yaml/node.ts'
import { keptOutBy } from './condition.ts'
import { expandInvocation, readInvocation } from './expand-invocation.ts'
import type { Ref } from './filters.ts'
import type { ExpandedWorkflow, Invocation } from './invocation.ts'
import { expandGroup } from './job-group.ts'

/** What can be said about a workflow. */
export const workflowKeys = ['jobs', 'triggers', 'when', 'unless', 'max_auto_reruns']

/** A workflow with every job in it resolved; undefined, and unread, if its own condition keeps it out. */
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
  const reason = keptOutBy(map, scope, here)
  if (reason) {
    trail.notes.leftOut.push({ workflow: name, line: map.line, why: { type: reason } })
    return undefined
  }
  checkKeys(map, workflowKeys, here)
  const jobs = get(map, 'jobs')
  if (!jobs) blame(here, map, 'required key [jobs] not found')
  const reruns = get(map, 'max_auto_reruns')
  const maxAutoReruns = reruns && asInteger(substitute(reruns, scope, here), 1, 5, here, 'max_auto_reruns')
  const triggers = get(map, 'triggers')
  return {
    name,
    invocations: jobs && !isNull(jobs) ? expandInvocations(jobs, scope, ref, here) : [],
    ...(maxAutoReruns !== undefined && { maxAutoReruns }),
    triggers: triggers && !isNull(triggers) ? substitute(triggers, scope, here) : undefined,
    place: map,
  }
}

function expandInvocations(jobs: Node, scope: Scope, ref: Ref, trail: Trail): readonly Invocation[] {
  const nameless = new Set<string>()
  return asItems(jobs, trail, 'jobs').flatMap((item) => {
    const written = readInvocation(item, scope, trail)
    if (!written) {
      const form = 'the name of a job, or one name with a mapping of what is said about it'
      blame(trail, item, `Cannot read an item of [jobs] as it must be ${form}`)
      return []
    }
    const group = scope.library.groups.get(written.job)
    if (!group) return expandInvocation(written, scope, ref, trail)
    if (!written.map.entries.has('name')) {
      if (nameless.has(written.job)) blame(trail, item, `Cannot use job group ${written.job} twice without names`)
      nameless.add(written.job)
    }
    return expandGroup(written, group, scope, ref, trail)
  })
}
