import { type Instant, instant } from '#kit/brand.ts'

/** When something recurs: the minutes, hours, days and months it may happen in, UTC. */
export interface Cron {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly daysOfMonth: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** Sunday is 0. */
  readonly daysOfWeek: ReadonlySet<number>
  /** Both kinds of day are restricted: one of them is enough. */
  readonly eitherDay: boolean
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

interface Field {
  readonly what: string
  readonly least: number
  readonly most: number
  readonly names: readonly string[]
}

const fields: readonly [Field, Field, Field, Field, Field] = [
  { what: 'minute', least: 0, most: 59, names: [] },
  { what: 'hour', least: 0, most: 23, names: [] },
  { what: 'day of the month', least: 1, most: 31, names: [] },
  { what: 'month', least: 1, most: 12, names: monthNames },
  { what: 'day of the week', least: 0, most: 7, names: dayNames },
]

/** Reads five fields, each `*`, numbers, names, ranges and steps; a sentence where they are none. */
export function readCron(text: string): Cron | string {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== fields.length) return `it must have five fields, found: ${text}`
  const sets: ReadonlySet<number>[] = []
  for (const [index, field] of fields.entries()) {
    const set = readField(parts[index] ?? '', field)
    if (typeof set === 'string') return set
    sets.push(set)
  }
  const [minutes, hours, daysOfMonth, months, weekdays] = sets as [Days, Days, Days, Days, Days]
  const daysOfWeek = new Set([...weekdays].map((day) => day % 7))
  const eitherDay = !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*')
  return { minutes, hours, daysOfMonth, months, daysOfWeek, eitherDay }
}

type Days = ReadonlySet<number>

function readField(text: string, field: Field): ReadonlySet<number> | string {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const range = readRange(part, field)
    if (!range) return `${JSON.stringify(part)} is no ${field.what}`
    for (let value = range.from; value <= range.to; value += range.step) found.add(value)
  }
  return found
}

function readRange(text: string, { least, most, names }: Field) {
  const [, from = '', to, by] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(text) ?? []
  const valueOf = (word: string): number => {
    const name = names.indexOf(word.toUpperCase())
    return name >= 0 ? name + least : /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
  }
  const first = from === '*' ? least : valueOf(from)
  // A number with a step counts on to the end, as most crons have it.
  const last = to !== undefined ? valueOf(to) : from === '*' || by !== undefined ? most : first
  const step = by === undefined ? 1 : Number(by)
  const isGood = first >= least && last <= most && first <= last && step >= 1 && !(from === '*' && to !== undefined)
  return isGood ? { from: first, to: last, step } : undefined
}

/** Nothing recurs less often: the 29th of February on a given weekday comes within forty years. */
const mostDays = 366 * 41
const dayMs = 86_400_000

/** The first time after `after`; nothing where there is none, as on the 31st of February. */
export function nextCron(cron: Cron, after: Instant): Instant | undefined {
  const start = Math.floor(Date.parse(after) / 60_000) * 60_000 + 60_000
  const midnight = Math.floor(start / dayMs) * dayMs
  for (let day = 0; day < mostDays; day++) {
    const date = new Date(midnight + day * dayMs)
    if (!isDay(cron, date)) continue
    const time = firstTime(cron, day === 0 ? (start - midnight) / 60_000 : 0)
    if (time !== undefined) return instant(new Date(date.getTime() + time * 60_000))
  }
  return undefined
}

function isDay({ months, daysOfMonth, daysOfWeek, eitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const [ofMonth, ofWeek] = [daysOfMonth.has(date.getUTCDate()), daysOfWeek.has(date.getUTCDay())]
  return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek
}

/** The first minute of a day that is not before `from`. */
function firstTime({ hours, minutes }: Cron, from: number): number | undefined {
  const times = [...hours].flatMap((hour) => [...minutes].map((minute) => hour * 60 + minute))
  const left = times.filter((time) => time >= from)
  return left.length === 0 ? undefined : Math.min(...left)
}
