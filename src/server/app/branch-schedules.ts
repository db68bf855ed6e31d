import { matchesFilter } from '#config/workflows/filters.ts'
import { nextCron, readCron } from '#core/cron.ts'
import type { Plan, PlannedSchedule } from '#core/plan.ts'
import { formatRef } from '#core/refs.ts'
import {
  type BranchScheduleRow,
  branchSchedulesOf,
  deleteBranchSchedules,
  insertBranchSchedule,
} from '#server/store/branch-schedules.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import { refOf } from '#server/store/refs.ts'
import type { Tx } from '#server/store/schema.ts'
import type { World } from './world.ts'

/**
 * Takes over the scheduled workflows of a branch from the configuration at its head, in the transaction that makes the pipeline what it is.
 * What is scheduled as before keeps its next time.
 */
export async function keepBranchSchedules(world: World, tx: Tx, pipeline: PipelineRow, plan: Plan): Promise<void> {
  const { branch, project_id: project } = pipeline
  if (branch === null) return
  const wanted = wantedOn(branch, plan)
  const before = await branchSchedulesOf(tx, { project, branch })
  if (wanted.length === 0 && before.length === 0) return
  // A pipeline of an older commit says nothing about what the branch wants now.
  if ((await refOf(tx, project, formatRef('branch', branch))) !== pipeline.revision) return
  if (same(before, wanted)) return
  await deleteBranchSchedules(tx, project, branch)
  for (const { workflow, cron } of wanted) {
    const known = before.find((row) => row.workflow === workflow && row.cron === cron)
    const times = readCron(cron)
    const next = typeof times === 'string' ? undefined : nextCron(times, world.now())
    await insertBranchSchedule(tx, {
      id: world.newId(),
      project_id: project,
      branch,
      workflow,
      cron,
      next_at: known ? known.next_at : (next ?? null),
    })
  }
}

/** A setup configuration has no scheduled workflows (§A12). */
const wantedOn = (branch: string, plan: Plan): readonly PlannedSchedule[] =>
  plan.setup ? [] : (plan.schedules ?? []).filter(({ branches }) => matchesFilter(branches, branch))

const same = (before: readonly BranchScheduleRow[], wanted: readonly PlannedSchedule[]): boolean =>
  before.length === wanted.length &&
  wanted.every(({ workflow, cron }, i) => before[i]?.workflow === workflow && before[i]?.cron === cron)
