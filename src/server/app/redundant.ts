import type { WorkflowId } from '#core/ids.ts'
import { later } from '#kit/brand.ts'
import { newestOfBranch, openBefore, openOfBranch } from '#server/store/open-workflows.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { autocancelSince } from './project-settings.ts'
import { cancelWorkflow } from './workflows.ts'
import type { World } from './world.ts'

/** Whether newer pipelines of a branch cancel older ones: only where the project wants it, and never on its default branch. */
export const cancelsOlder = (project: ProjectRow, branch: string | null): branch is string =>
  branch !== null && branch !== project.default_branch && autocancelSince(project) !== undefined

/**
 * Cancels what newer pipelines of the same branch and definition have made redundant. Reruns go on, as do workflows from before
 * the setting was made; a schedule makes nothing redundant. Repeating it changes nothing.
 */
export async function cancelRedundant(
  world: World,
  project: ProjectRow,
  { branch, definition_id: definition }: Pick<PipelineRow, 'branch' | 'definition_id'>,
): Promise<void> {
  if (!cancelsOlder(project, branch)) return
  const of = { project: project.id, branch, definition }
  const newest = await newestOfBranch(world.db, of)
  if (!newest) return
  const since = autocancelSince(project) ?? ''
  const older = await openOfBranch(world.db, { ...of, below: newest.number, since })
  for (const { id } of older) await cancelWorkflow(world, undefined, id as WorkflowId)
}

const ninetyDaysMs = 90 * 24 * 60 * 60 * 1000
const together = 100

/** Cancels workflows that have been open for ninety days, as approvals that nobody gives would stay for ever. True when there may be more. */
export async function cancelForgotten(world: World): Promise<boolean> {
  const before = later(world.now(), -ninetyDaysMs)
  const rows = await openBefore(world.db, { before, most: together })
  for (const { id } of rows) await cancelWorkflow(world, undefined, id as WorkflowId)
  return rows.length === together
}
