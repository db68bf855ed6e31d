import { type Static, Type } from 'typebox'
import { endpoint, exactlyOne, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { Parameters } from './parameters.ts'
import { PageQuery, ProjectParams } from './path.ts'

/** The days of a week, as timetables write them. */
export const days = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

/** The months of a year, as timetables write them. */
export const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const

const some = { minItems: 1, uniqueItems: true }
const PerHour = Type.Integer({ minimum: 1, maximum: 60 })
const HoursOfDay = Type.Array(Type.Integer({ minimum: 0, maximum: 23 }), some)

const when = {
  'days-of-week': Type.Optional(Type.Array(OneOf(...days), some)),
  'days-of-month': Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 31 }), some)),
  /** Left out: all. */
  months: Type.Optional(Type.Array(OneOf(...months), some)),
}

/** When a schedule fires, in UTC: by days of the week or by days of the month, never both. */
export const Timetable = Type.Object({ 'per-hour': PerHour, 'hours-of-day': HoursOfDay, ...when })
export type Timetable = Static<typeof Timetable>

/** As clients send it: some write every member, and null or an empty list where nothing is meant. */
const sent = {
  'days-of-week': Type.Optional(Nullable(Type.Array(OneOf(...days), { uniqueItems: true }))),
  'days-of-month': Type.Optional(
    Nullable(Type.Array(Type.Integer({ minimum: 1, maximum: 31 }), { uniqueItems: true })),
  ),
  /** Null or empty: all. */
  months: Type.Optional(Nullable(Type.Array(OneOf(...months), { uniqueItems: true }))),
}

const hasSome = (name: string) => ({ required: [name], properties: { [name]: { type: 'array', minItems: 1 } } })

const NewTimetable = Type.Object(
  { 'per-hour': PerHour, 'hours-of-day': HoursOfDay, ...sent },
  { oneOf: [hasSome('days-of-week'), hasSome('days-of-month')] },
)

const TimetableChange = Type.Object({
  'per-hour': Type.Optional(PerHour),
  'hours-of-day': Type.Optional(HoursOfDay),
  ...sent,
})
export type TimetableChange = Static<typeof TimetableChange>

/** The parameters of the pipelines of a schedule, with the branch or the tag that they run on. */
const ScheduledParameters = Type.Unsafe<Parameters>({ ...Parameters, ...exactlyOne('branch', 'tag') })

const Name = Type.String({ minLength: 1 })
const Description = Type.Optional(Nullable(Type.String()))
const Attribution = OneOf('current', 'system')

/** A timetable on which pipelines of a project are triggered. */
export const Schedule = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  timetable: Timetable,
  parameters: Parameters,
  actor: Type.Object({ id: Uuid, login: Type.String(), name: Type.String() }),
  'project-slug': Type.String(),
  'created-at': Time,
  'updated-at': Time,
})
export type Schedule = Static<typeof Schedule>

const ScheduleParams = Type.Object({ schedule_id: Uuid })

export const listSchedules = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/schedule',
  summary: 'List the schedules of a project',
  access: 'user',
  params: ProjectParams,
  query: PageQuery,
  response: Page(Schedule),
})

export const createSchedule = endpoint({
  method: 'POST',
  path: '/project/:provider/:org/:repo/schedule',
  summary: 'Create a schedule of a project',
  access: 'user',
  status: 201,
  params: ProjectParams,
  body: Type.Object({
    name: Name,
    timetable: NewTimetable,
    'attribution-actor': Attribution,
    parameters: ScheduledParameters,
    description: Description,
  }),
  response: Schedule,
})

export const getSchedule = endpoint({
  method: 'GET',
  path: '/schedule/:schedule_id',
  summary: 'Read a schedule',
  access: 'user',
  params: ScheduleParams,
  response: Schedule,
})

export const updateSchedule = endpoint({
  method: 'PATCH',
  path: '/schedule/:schedule_id',
  summary: 'Change what is given of a schedule',
  access: 'user',
  params: ScheduleParams,
  body: Type.Object({
    name: Type.Optional(Name),
    timetable: Type.Optional(TimetableChange),
    'attribution-actor': Type.Optional(Attribution),
    parameters: Type.Optional(ScheduledParameters),
    description: Description,
  }),
  response: Schedule,
})

export const deleteSchedule = endpoint({
  method: 'DELETE',
  path: '/schedule/:schedule_id',
  summary: 'Delete a schedule',
  access: 'user',
  params: ScheduleParams,
  response: Message,
})
