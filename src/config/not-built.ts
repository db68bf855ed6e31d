import type { NotBuilt, Plan } from '#core/plan.ts'
import { branchesOf } from './one-point-o/upgrade.ts'
import type { Trail } from './trail.ts'
import { ownBranches } from './workflows/expand-workflows.ts'
import { nameFilterPasses, type Ref } from './workflows/filters.ts'
import { get, isNull, type MapNode } from './yaml/node.ts'

/** Why a branch is not built, where a list of branches (`general` of version 1.0, the job `build` of version 2) keeps it out. */
export function notBuiltOf(
  written: MapNode,
  version: Plan['version'],
  { branch }: Ref,
  trail: Trail,
): NotBuilt | undefined {
  const workflows = get(written, 'workflows')
  if (branch === undefined || (version !== '1.0' && workflows && !isNull(workflows))) return undefined
  const filter = version === '1.0' ? branchesOf(written, trail) : ownBranches(written, trail)
  if (nameFilterPasses(filter, branch, trail)) return undefined
  return filter?.only ? 'branch-not-whitelisted' : 'branch-blacklisted'
}
