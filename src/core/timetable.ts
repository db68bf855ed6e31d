import { type Instant, instant } from '#kit/brand.ts'

/** When a schedule fires, in UTC: by days of the week or by days of the month. */
export interface Timetable {
  readonly perHour: number
  readonly hoursOfDay: readonly number[]
  /** `MON` to `SUN`. */
  readonly daysOfWeek?: readonly string[]
  readonly daysOfMonth?: readonly number[]
  /** `JAN` to `DEC`; all where there are none. */
  readonly months?: readonly string[]
}

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const longestDelayMs = 10 * 60_000
/** Every day of a month comes within eight years. */
const mostDays = 366 * 9

/**
 * How long after the full hour a schedule first fires: always the same for the same id, different for different ones,
 * so that those who say "every hour" do not all come at once. At most ten minutes, and never into the place of its next time.
 */
export function delayOf(id: string, perHour: number): number {
  let hash = 2_166_136_261
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0
  const room = Math.min(longestDelayMs, Math.floor(hourMs / perHour))
  return Math.floor((hash / 2 ** 32) * (room / 1_000)) * 1_000
}

/** The first time after `after` at which the schedule of this id fires; nothing where there is none. */
export function nextTime(timetable: Timetable, id: string, after: Instant): Instant | undefined {
  const now = Date.parse(after)
  const midnight = Math.floor(now / dayMs) * dayMs
  const times = timesOfDay(timetable, id)
  for (let day = 0; day < mostDays; day++) {
    const date = midnight + day * dayMs
    if (!isDay(timetable, new Date(date))) continue
    const time = times.find((ms) => date + ms > now)
    if (time !== undefined) return instant(new Date(date + time))
  }
  return undefined
}

function timesOfDay({ perHour, hoursOfDay }: Timetable, id: string): readonly number[] {
  const delay = delayOf(id, perHour)
  const turns = Array.from({ length: perHour }, (_, turn) => delay + Math.floor((turn * hourMs) / perHour))
  return hoursOfDay.toSorted((a, b) => a - b).flatMap((hour) => turns.map((ms) => hour * hourMs + ms))
}

function isDay({ months, daysOfWeek, daysOfMonth }: Timetable, date: Date): boolean {
  if (months && !months.includes(monthNames[date.getUTCMonth()] ?? '')) return false
  if (daysOfWeek) return daysOfWeek.includes(weekdays[date.getUTCDay()] ?? '')
  return daysOfMonth?.includes(date.getUTCDate()) ?? false
}
