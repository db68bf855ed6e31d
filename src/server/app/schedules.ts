import type { ParameterValue } from '#core/pipeline.ts'
import { checkName } from '#core/refs.ts'
import { nextTime, type Timetable } from '#core/timetable.ts'
import type { Instant } from '#kit/brand.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { userById, type UserRow } from '#server/store/people.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import {
  deleteSchedule,
  insertSchedule,
  lockSchedule,
  scheduleById,
  type ScheduleRow,
  schedulesOf,
  updateSchedule,
} from '#server/store/schedules.ts'
import type { App } from './app.ts'
import type { Caller, User } from './callers.ts'
import type { PageOf } from './lists.ts'
import { projectOfId, type Right } from './permissions.ts'
import type { World } from './world.ts'

export type { ScheduleRow }

type Parameters = Readonly<Record<string, ParameterValue>>

/** What a schedule is made of. */
export interface ScheduleForm {
  readonly name: string
  readonly description: string | null
  readonly timetable: Timetable
  readonly parameters: Parameters
  /** In whose name it fires: of whoever says so, or of the service. */
  readonly attribution: 'current' | 'system'
}

/** Some of it; of a timetable too, where one kind of days takes the place of the other. */
export type ScheduleChange = Partial<Omit<ScheduleForm, 'timetable'>> & { readonly timetable?: TimetableChange }

/** What is given of a timetable; months without a value are all of them. */
export type TimetableChange = Partial<Omit<Timetable, 'months'>> & { readonly months?: Timetable['months'] | undefined }

/** A schedule with everything that is told about it. */
export interface ScheduleFacts {
  readonly row: ScheduleRow
  readonly project: ProjectRow
  /** Nobody: the service itself. */
  readonly actor: UserRow | undefined
}

const pageSize = 20

export async function createSchedule(
  world: World,
  caller: User,
  project: ProjectRow,
  form: ScheduleForm,
): Promise<ScheduleFacts> {
  checkTarget(form.parameters)
  const [id, at] = [world.newId(), world.now()]
  const row: ScheduleRow = {
    id,
    project_id: project.id,
    name: form.name,
    description: form.description,
    timetable: JSON.stringify(form.timetable),
    parameters: JSON.stringify(form.parameters),
    actor_id: form.attribution === 'current' ? caller.id : null,
    created_at: at,
    updated_at: at,
    next_at: nextTime(form.timetable, id, at) ?? null,
  }
  await world.db.transaction().execute((tx) => insertSchedule(tx, row))
  return factsOf(world, project, row)
}

/** A schedule, if the caller may. */
export async function scheduleFor(world: World, caller: Caller, right: Right, id: string): Promise<ScheduleFacts> {
  const row = orNotFound(await scheduleById(world.db, { id }), 'Schedule')
  return factsOf(world, await projectOfId(world, caller, right, row.project_id, 'Schedule'), row)
}

/** The schedules of a project that the caller was let into, oldest first. */
export async function listSchedules(
  app: App,
  project: ProjectRow,
  token: string | undefined,
): Promise<PageOf<ScheduleFacts>> {
  const list = `schedules:${project.id}`
  const page = app.cursors.read(list, token, {})
  const rows = await schedulesOf(app.world.db, { project: project.id, after: page?.after ?? '', most: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  const items = await Promise.all(shown.map((row) => factsOf(app.world, project, row)))
  const last = rows.length > pageSize ? shown.at(-1)?.id : undefined
  return { items, next: last === undefined ? null : app.cursors.write(list, { after: last, filter: {} }) }
}

/** Changes what is given. A time that had come but was not noticed yet is forgotten with the timetable it belonged to. */
export async function changeSchedule(
  world: World,
  caller: User,
  id: string,
  change: ScheduleChange,
): Promise<ScheduleFacts> {
  const { project } = await scheduleFor(world, caller, 'configure', id)
  if (change.parameters) checkTarget(change.parameters)
  const row = await world.db.transaction().execute(async (tx) => {
    const before = orNotFound(await lockSchedule(tx, { id }), 'Schedule')
    const at = world.now()
    const timetable = change.timetable && merged(JSON.parse(before.timetable) as Timetable, change.timetable)
    const to = {
      ...(change.name !== undefined && { name: change.name }),
      ...(change.description !== undefined && { description: change.description }),
      ...(change.parameters !== undefined && { parameters: JSON.stringify(change.parameters) }),
      ...(change.attribution !== undefined && { actor_id: change.attribution === 'current' ? caller.id : null }),
      ...(timetable && { timetable: JSON.stringify(timetable), next_at: nextTime(timetable, id, at) ?? null }),
      updated_at: at,
    }
    await updateSchedule(tx, id, to)
    return { ...before, ...to }
  })
  return factsOf(world, project, row)
}

/** The next times at which a schedule fires; the first may have come already and not been noticed yet. */
export function nextRuns(world: World, row: ScheduleRow, most: number): readonly Instant[] {
  const timetable = JSON.parse(row.timetable) as Timetable
  const times: Instant[] = []
  let last = row.next_at === null ? undefined : (row.next_at as Instant)
  while (last !== undefined && times.length < most) {
    times.push(last)
    last = nextTime(timetable, row.id, last < world.now() ? world.now() : last)
  }
  return times
}

export async function removeSchedule(world: World, caller: Caller, id: string): Promise<void> {
  await scheduleFor(world, caller, 'configure', id)
  await world.db.transaction().execute((tx) => deleteSchedule(tx, id))
}

async function factsOf(world: World, project: ProjectRow, row: ScheduleRow): Promise<ScheduleFacts> {
  const actor = row.actor_id === null ? undefined : await userById(world.db, { id: row.actor_id })
  return { row, project, actor }
}

function merged(before: Timetable, change: TimetableChange): Timetable {
  if (change.daysOfWeek && change.daysOfMonth)
    throw new Refusal(
      'invalid',
      'Cannot keep a timetable as days-of-week and days-of-month exclude each other: both were given',
    )
  const { daysOfWeek: _week, daysOfMonth: _month, ...rest } = before
  const { months, ...times } = { ...(change.daysOfWeek || change.daysOfMonth ? rest : before), ...change }
  return { ...times, ...(months && { months }) }
}

/** One branch or one tag, by its name. */
function checkTarget({ branch, tag }: Parameters): void {
  if ((branch === undefined) === (tag === undefined))
    throw new Refusal('invalid', 'Cannot keep a schedule as its parameters must have either branch or tag')
  const [kind, name] = branch === undefined ? (['tag', tag] as const) : (['branch', branch] as const)
  if (typeof name !== 'string') throw new Refusal('invalid', `Cannot keep a schedule as ${kind} must be a text`)
  checkName(kind, name)
}
