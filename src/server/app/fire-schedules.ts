import type { UserId } from '#core/ids.ts'
import { nextCron, readCron } from '#core/cron.ts'
import type { ParameterValue } from '#core/pipeline.ts'
import { formatRef } from '#core/refs.ts'
import { nextTime, type Timetable } from '#core/timetable.ts'
import { between, type Instant } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  type BranchScheduleRow,
  deleteBranchSchedules,
  dueBranchSchedules,
  lockBranchSchedule,
  moveBranchSchedule,
} from '#server/store/branch-schedules.ts'
import { roleOf, userById } from '#server/store/people.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { refOf } from '#server/store/refs.ts'
import { dueSchedules, lockSchedule, type ScheduleRow, updateSchedule } from '#server/store/schedules.ts'
import type { Tx } from '#server/store/schema.ts'
import { dueTriggers, type TriggerRow } from '#server/store/triggers.ts'
import { scheduledTrigger } from './fire-triggers.ts'
import { createPipeline, resolve, type Target, type Wanted } from './trigger.ts'
import type { World } from './world.ts'

/** What was due longer ago, while no server ran, is left out: a nightly deployment at noon would surprise everybody. */
const latestMs = 60 * 60 * 1000
const together = 50

/**
 * Makes a pipeline for everything whose time has come, once, however many servers look: the time is moved on in the transaction that makes
 * the pipeline. Of several times that were missed only the last counts. True when there may be more.
 */
export async function fireSchedules(world: World): Promise<boolean> {
  const now = world.now()
  const due = await dueSchedules(world.db, now, together)
  for (const row of due) await guarded(world, row.id, () => fire(world, row))
  const branches = await dueBranchSchedules(world.db, now, together)
  for (const row of branches) await guarded(world, row.id, () => fireBranch(world, row))
  const triggers = await dueTriggers(world.db, now, together)
  for (const row of triggers) await guarded(world, row.id, () => fireTrigger(world, row))
  return due.length + branches.length + triggers.length > 0
}

/** One that fails must not keep the others from their time. */
async function guarded(world: World, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    world.log.error('A schedule cannot fire', { schedule: id, error: String(error) })
  }
}

async function fire(world: World, row: ScheduleRow): Promise<void> {
  const { branch, tag, ...parameters } = JSON.parse(row.parameters) as Record<string, ParameterValue>
  const target = branch === undefined ? { tag: String(tag) } : { branch: String(branch) }
  const project = await projectById(world.db, { id: row.project_id })
  const isMember = row.actor_id === null || (project && (await mayBuild(world, project, row.actor_id)))
  const found = project && isMember ? await find(world, row.id, project, target) : undefined
  const wanted = { type: 'scheduled_pipeline', actor: row.actor_id as UserId | null, parameters } as const
  const options = { schedule: { id: row.id, name: row.name } }
  await once(world, row.next_at, project, found && { ...wanted, options, ...found }, async (tx, at) => {
    const locked = await lockSchedule(tx, { id: row.id })
    if (locked?.next_at !== row.next_at || locked.updated_at !== row.updated_at) return false
    const next = nextTime(JSON.parse(locked.timetable) as Timetable, row.id, at)
    await updateSchedule(tx, row.id, { next_at: next ?? null })
    return true
  })
}

async function fireBranch(world: World, row: BranchScheduleRow): Promise<void> {
  const project = await projectById(world.db, { id: row.project_id })
  const found = project && (await find(world, row.id, project, { branch: row.branch }))
  const wanted = { type: 'scheduled_pipeline', actor: null, parameters: {} } as const
  const options = { scheduled: row.workflow }
  await once(world, row.next_at, project, found && { ...wanted, options, ...found }, async (tx, at) => {
    const locked = await lockBranchSchedule(tx, { id: row.id })
    if (locked?.next_at !== row.next_at) return false
    const cron = readCron(locked.cron)
    const isThere = (await refOf(tx, row.project_id, formatRef('branch', row.branch))) !== undefined
    if (!isThere) await deleteBranchSchedules(tx, row.project_id, row.branch)
    else await moveBranchSchedule(tx, row.id, typeof cron === 'string' ? null : (nextCron(cron, at) ?? null))
    return isThere
  })
}

async function fireTrigger(world: World, row: TriggerRow): Promise<void> {
  const { project, wanted, claim } = await scheduledTrigger(world, row)
  const isMember = row.actor_id === null || (project && (await mayBuild(world, project, row.actor_id)))
  await once(world, row.next_at, project, isMember ? await orNothing(world, row.id, wanted) : undefined, claim)
}

/** Makes the pipeline if `claim`, which moves the time on, finds that nobody else has. */
async function once(
  world: World,
  dueAt: string | null,
  project: ProjectRow | undefined,
  wanted: Wanted | undefined,
  claim: (tx: Tx, at: Instant) => Promise<boolean>,
): Promise<void> {
  const made = await world.db.transaction().execute(async (tx) => {
    const at = world.now()
    if (!(await claim(tx, at)) || !project || !wanted) return false
    if (between(dueAt as Instant, at) > latestMs) return false
    await createPipeline(world, tx, project, wanted)
    return true
  })
  if (!made || !project) return
  world.bell.ring('pipelines')
  world.bell.ring(`project:${project.id}`)
}

/** The commit it is about; nothing where branch or tag is gone, or the repository cannot be reached. */
const find = (world: World, schedule: string, project: ProjectRow, target: Target) =>
  orNothing(world, schedule, () => resolve(world, project, target))

async function orNothing<T>(world: World, schedule: string, look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    world.log.warn('A schedule has nothing to build', { schedule, error: error.message })
    return undefined
  }
}

/** Whoever left the organization builds nothing any more, not even by a schedule made before. */
async function mayBuild(world: World, project: ProjectRow, id: string): Promise<boolean> {
  const user = await userById(world.db, { id })
  if (!user) return false
  const role = (await roleOf(world.db, { user: id, organization: project.organization_id }))?.role
  return user.admin === 1 || role === 'owner' || role === 'member'
}
