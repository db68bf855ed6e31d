import * as contract from '#contract/v2/schedule.ts'
import { systemActor } from '#core/names.ts'
import type { Timetable } from '#core/timetable.ts'
import { slugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import {
  changeSchedule,
  createSchedule,
  listSchedules,
  removeSchedule,
  type ScheduleFacts,
  scheduleFor,
  type TimetableChange,
} from '#server/app/schedules.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'

/** Scheduled pipelines of generation 2. */
export function serveSchedules({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.listSchedules, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { items, next } = await listSchedules(app, project, query['page-token'])
    return { items: items.map((facts) => scheduleView(world, facts)), next_page_token: next }
  })
  serve(contract.createSchedule, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', params)
    const form = {
      name: body.name,
      description: body.description ?? null,
      timetable: toTimetable(body.timetable) as Timetable,
      parameters: body.parameters,
      attribution: body['attribution-actor'],
    }
    return scheduleView(world, await createSchedule(world, asUser(caller), project, form))
  })
  serve(contract.getSchedule, async ({ caller, params }) =>
    scheduleView(world, await scheduleFor(world, caller, 'read', params.schedule_id)),
  )
  serve(contract.updateSchedule, async ({ caller, params, body }) => {
    const change = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.timetable !== undefined && { timetable: toTimetable(body.timetable) }),
      ...(body.parameters !== undefined && { parameters: body.parameters }),
      ...(body['attribution-actor'] !== undefined && { attribution: body['attribution-actor'] }),
    }
    return scheduleView(world, await changeSchedule(world, asUser(caller), params.schedule_id, change))
  })
  serve(contract.deleteSchedule, async ({ caller, params }) => {
    await removeSchedule(world, caller, params.schedule_id)
    return { message: 'Schedule deleted.' }
  })
}

function toTimetable(sent: contract.TimetableChange): TimetableChange {
  return {
    ...(sent['per-hour'] !== undefined && { perHour: sent['per-hour'] }),
    ...(sent['hours-of-day'] !== undefined && { hoursOfDay: sent['hours-of-day'] }),
    ...(sent['days-of-week']?.length && { daysOfWeek: sent['days-of-week'] }),
    ...(sent['days-of-month']?.length && { daysOfMonth: sent['days-of-month'] }),
    ...(sent.months !== undefined && { months: sent.months?.length ? sent.months : undefined }),
  }
}

function scheduleView(world: World, { row, project, actor }: ScheduleFacts): contract.Schedule {
  const { perHour, hoursOfDay, daysOfWeek, daysOfMonth, months } = JSON.parse(row.timetable) as Timetable
  const { id, login, name } = actor ?? systemActor
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    timetable: {
      'per-hour': perHour,
      'hours-of-day': [...hoursOfDay],
      ...(daysOfWeek && { 'days-of-week': daysOfWeek as contract.Timetable['days-of-week'] & {} }),
      ...(daysOfMonth && { 'days-of-month': [...daysOfMonth] }),
      ...(months && { months: months as contract.Timetable['months'] & {} }),
    },
    parameters: JSON.parse(row.parameters) as contract.Schedule['parameters'],
    actor: { id, login, name },
    'project-slug': slugOf(world, project),
    'created-at': row.created_at,
    'updated-at': row.updated_at,
  }
}
