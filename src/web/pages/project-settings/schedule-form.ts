import type { Schedule, Timetable } from '#contract/v2/schedule.ts'
import type { days, months } from '#contract/v2/schedule.ts'

type Day = (typeof days)[number]
type Month = (typeof months)[number]

/** A schedule as somebody writes it. */
export interface ScheduleDraft {
  readonly name: string
  readonly description: string
  readonly kind: 'week' | 'month'
  readonly daysOfWeek: readonly Day[]
  readonly daysOfMonth: string
  readonly months: readonly Month[]
  readonly hours: string
  readonly perHour: string
  readonly target: 'branch' | 'tag'
  readonly ref: string
  /** One `name=value` on each line. */
  readonly parameters: string
  readonly attribution: 'current' | 'system'
}

/** What a new schedule begins with. */
export const newDraft: ScheduleDraft = {
  name: '',
  description: '',
  kind: 'week',
  daysOfWeek: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
  daysOfMonth: '1',
  months: [],
  hours: '2',
  perHour: '1',
  target: 'branch',
  ref: 'main',
  parameters: '',
  attribution: 'current',
}

const systemLogin = 'system-actor'

/** A schedule that is to be changed. */
export function draftOf(schedule: Schedule): ScheduleDraft {
  const { timetable } = schedule
  const { branch, tag, ...rest } = schedule.parameters
  return {
    name: schedule.name,
    description: schedule.description ?? '',
    kind: timetable['days-of-month'] ? 'month' : 'week',
    daysOfWeek: timetable['days-of-week'] ?? newDraft.daysOfWeek,
    daysOfMonth: (timetable['days-of-month'] ?? [1]).join(', '),
    months: timetable.months ?? [],
    hours: timetable['hours-of-day'].join(', '),
    perHour: String(timetable['per-hour']),
    target: tag === undefined ? 'branch' : 'tag',
    ref: String(branch ?? tag ?? ''),
    parameters: Object.entries(rest)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join('\n'),
    attribution: schedule.actor.login === systemLogin ? 'system' : 'current',
  }
}

/** Reads `1, 3-5` as numbers within bounds; nothing where it is something else. */
export function numbersIn(text: string, least: number, most: number): readonly number[] | undefined {
  const numbers = new Set<number>()
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, from = '', to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? []
    if (from === '' || Number(from) < least || Number(to) > most || Number(from) > Number(to)) return undefined
    for (let number = Number(from); number <= Number(to); number++) numbers.add(number)
  }
  return numbers.size === 0 ? undefined : [...numbers].toSorted((a, b) => a - b)
}

type Value = string | number | boolean

/** Reads one `name=value` on each line; numbers and booleans as such. */
export function parametersIn(text: string): Readonly<Record<string, Value>> | undefined {
  const pairs: [string, Value][] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const at = line.indexOf('=')
    if (at < 1) return undefined
    pairs.push([line.slice(0, at).trim(), toValue(line.slice(at + 1).trim())])
  }
  return Object.fromEntries(pairs)
}

function toValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

/** What a draft says, as the service takes it; or what is wrong with it. */
export function readDraft(draft: ScheduleDraft) {
  const hours = numbersIn(draft.hours, 0, 23)
  if (!hours) return 'Cannot keep the schedule: write the hours as numbers from 0 to 23, like 2 or 9-17'
  const days = draft.kind === 'month' ? numbersIn(draft.daysOfMonth, 1, 31) : undefined
  if (draft.kind === 'month' && !days)
    return 'Cannot keep the schedule: write the days as numbers from 1 to 31, like 1, 15'
  if (draft.kind === 'week' && draft.daysOfWeek.length === 0)
    return 'Cannot keep the schedule: choose a day of the week'
  const parameters = parametersIn(draft.parameters)
  if (!parameters) return 'Cannot keep the schedule: write one parameter on each line, like name=value'
  const timetable: Timetable = {
    'per-hour': Number(draft.perHour),
    'hours-of-day': [...hours],
    ...(days ? { 'days-of-month': [...days] } : { 'days-of-week': [...draft.daysOfWeek] }),
    ...(draft.months.length > 0 && { months: [...draft.months] }),
  }
  return {
    name: draft.name,
    description: draft.description === '' ? null : draft.description,
    timetable,
    parameters: { [draft.target]: draft.ref, ...parameters },
    'attribution-actor': draft.attribution,
  }
}

const some = (words: readonly (string | number)[]): string => words.join(', ')

/** When a schedule fires, as a sentence. */
export function timetableText(timetable: Timetable): string {
  const times = timetable['per-hour'] === 1 ? 'Once' : `${timetable['per-hour']} times`
  const hours = timetable['hours-of-day'].length === 24 ? 'every hour' : `at ${some(timetable['hours-of-day'])} h`
  const days = timetable['days-of-month']
    ? `on day ${some(timetable['days-of-month'])} of the month`
    : timetable['days-of-week']?.length === 7
      ? 'every day'
      : `on ${some(timetable['days-of-week'] ?? [])}`
  const months = timetable.months ? ` in ${some(timetable.months)}` : ''
  return `${times} ${hours} (UTC) ${days}${months}`
}
