import { anyEnding } from '#core/plan.ts'
import type { Scope } from '#config/definitions/scope.ts'
import { asItems, asMap, checkKeys, textAt } from '#config/read.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { get, type MapNode, type Node } from '#config/yaml/node.ts'
import { expandInvocation, readInvocation, type WrittenInvocation } from './expand-invocation.ts'
import { decideFilters, type Ref } from './filters.ts'
import { type Invocation, privateName } from './invocation.ts'
import { readRequires, type Requirement } from './requires.ts'
import { isSerialKey } from './serial-group.ts'

const invocationKeys = ['name', 'requires', 'filters', 'serial-group']

/**
 * The jobs of a group in the place of its invocation: a start that waits for what the group requires, its members,
 * and an end that others require by the group's name. Names inside of a group mean nothing outside (§A10).
 */
export function expandGroup(
  written: WrittenInvocation,
  group: Node,
  scope: Scope,
  ref: Ref,
  outer: Trail,
): readonly Invocation[] {
  const trail = within(outer, `job-group: ${written.job}`)
  const map = asMap(group, trail)
  const said = substitute(written.map, scope, trail)
  if (!map || said.kind !== 'map') return []
  checkKeys(said, invocationKeys, trail)
  checkKeys(map, ['jobs'], trail)
  const { runs, filters } = decideFilters(get(said, 'filters'), ref, scope, trail)
  const prefix = textAt(said, 'name', trail)
  const members = membersOf(map, scope, ref, trail).map((member) => ({
    ...member,
    name: prefix === undefined ? member.name : `${prefix}-${member.name}`,
    filters: member.filters ?? filters,
    runs: runs && (member.runs || !member.filters),
  }))
  return around(written, said, members, { runs, filters }, trail)
}

function membersOf(map: MapNode, scope: Scope, ref: Ref, trail: Trail): readonly Invocation[] {
  const jobs = get(map, 'jobs')
  if (!jobs) {
    blame(trail, map, 'required key [jobs] not found')
    return []
  }
  return asItems(jobs, trail, 'jobs').flatMap((item) => {
    const member = readInvocation(item, scope, trail)
    if (!member) blame(trail, item, 'Cannot read an item of [jobs] as it must name a job')
    else if (scope.library.groups.has(member.job)) blame(trail, item, `Cannot put job group ${member.job} into another`)
    else if (member.map.entries.has('serial-group'))
      blame(trail, item, 'Cannot use [serial-group] inside of a job group')
    else return expandInvocation(member, scope, ref, trail)
    return []
  })
}

function around(
  { job, place }: WrittenInvocation,
  said: MapNode,
  members: readonly Invocation[],
  filtered: Pick<Invocation, 'runs' | 'filters'>,
  trail: Trail,
): readonly Invocation[] {
  const title = textAt(said, 'name', trail) ?? job
  const inside = (name: string) => privateName(name, place)
  const start: Requirement = { target: inside('group start'), on: ['success'], place }
  const self = (member: Invocation) => inside(member.answersTo[0] ?? member.name)
  const all = (on: Requirement['on']) => members.map((member): Requirement => ({ target: self(member), on, place }))
  const given = textAt(said, 'serial-group', trail)
  const key = given !== undefined && isSerialKey(given, place, trail) ? { key: given } : {}
  const shared = { contexts: [], ...filtered, place }
  const isSerial = 'key' in key
  const requires = readRequires(get(said, 'requires'), trail)
  const opening: Invocation = {
    ...shared,
    ...key,
    name: `${title}-start`,
    answersTo: [start.target],
    kind: isSerial ? 'lock' : 'no-op',
    requires,
  }
  const closing: Invocation = {
    ...shared,
    name: `${title}-end`,
    answersTo: [title],
    kind: 'no-op',
    requires: all(['success']),
  }
  const unlock: Invocation = {
    ...shared,
    ...key,
    name: `${title}-unlock`,
    answersTo: [],
    kind: 'unlock',
    requires: all(anyEnding),
  }
  const inner = members.map((member) => ({
    ...member,
    answersTo: member.answersTo.map(inside),
    requires:
      member.requires.length === 0
        ? [start]
        : member.requires.map((need) => ({ ...need, target: inside(need.target) })),
  }))
  return [opening, ...inner, closing, ...(isSerial ? [unlock] : [])]
}
